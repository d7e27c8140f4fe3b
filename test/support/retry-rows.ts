// Writes rows of the retry list, as a worker that could not process births leaves them.

/** SQL that sets the births aside that `where` selects; `dead` and `due` are SQL for their times. */
export const setBirthsAside = (
  worker: string,
  where: string,
  { dead = 'null::timestamptz', due = 'now()' }: { readonly dead?: string; readonly due?: string } = {},
): string =>
  `insert into gov_worker_retry (worker, source, round, failed_table, failed_ref, address, failures, last_error, detail,
     first_failed_at, last_failed_at, next_attempt_at, dead_lettered_at)
   select '${worker}', 'birth_registry', 'main', 'birth_registry', b.id::text, 'birth_registry:' || b.id, 1, 'it failed', '{}',
     now(), now(), case when b.dead is null then ${due} end, b.dead
   from (select id, ${dead} as dead from birth_registry where ${where}) as b`;
