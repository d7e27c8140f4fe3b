-- name: lookAct
-- nullable: status, answer
select outcome, status, answer from gcos_look_act(:key::text, :request::text)

-- name: beginAct
-- nullable: status, answer
select outcome, status, answer from gcos_begin_act(:key::text, :request::text, :attempt::text)

-- name: finishAct
select gcos_finish_act(:key::text, :attempt::text, :status::integer, :answer::text) is null as done
