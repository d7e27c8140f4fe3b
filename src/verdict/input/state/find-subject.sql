select s.subject_key from governance_input_state s where s.subject_key = $1::text
