-- How the member registry of the class lists the code.
select {{status}} as status from {{registry}} m where m.{{code}}::text = $1::text
