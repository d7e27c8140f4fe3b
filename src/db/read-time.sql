select clock_timestamp() as at
