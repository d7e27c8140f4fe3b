select gcos_retry_signals($1::int8[]) as revived
