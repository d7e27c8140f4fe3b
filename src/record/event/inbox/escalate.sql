select gcos_escalate($1::timestamptz) as escalated
