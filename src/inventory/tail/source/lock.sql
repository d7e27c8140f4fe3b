-- Nobody rewrites the table while a round looks at it. Births are not held up.
lock table birth_registry in access share mode
