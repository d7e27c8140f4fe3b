// Who is signed in, and how that is known. Without a session the sign-in screen is shown, whatever the URL.
import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, watchEffect } from 'vue';
import { problemOf } from '../api/problem.js';
import { get, send, setCsrfToken } from '../api/request.js';

export interface Session {
  readonly name: string;
  readonly person: string | null;
  readonly approver_type: string | null;
  readonly token: string;
  readonly level: string;
  readonly permissions: readonly string[];
  readonly csrf_token: string;
  readonly expires_at: string;
}

export function useSession() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => get<Session>('/session', {}, signal),
    retry: (failures, error) => problemOf(error).status === 0 && failures < 20,
    // Each component that asks who is signed in would ask again once it is known that no one is: the sign-in
    // screen would appear and disappear for ever.
    retryOnMount: false,
    staleTime: 60_000,
  });
  // A session that has ended is none, although its last answer is still known.
  const session = computed(() =>
    problemOf(query.error.value).status === 401 ? undefined : query.data.value,
  );
  watchEffect(() => setCsrfToken(session.value?.csrf_token ?? ''));

  async function signIn(body: { readonly token: string } | { readonly link: string }) {
    await send('/session', { method: 'POST', body });
    await client.invalidateQueries();
  }

  async function signOut({ everywhere = false } = {}) {
    await send(`/session?everywhere=${everywhere}`, { method: 'DELETE' });
    client.clear();
    location.reload();
  }

  const actor = computed(() =>
    session.value === undefined ? 'no one' : `${session.value.name} (${session.value.level})`,
  );
  const may = (permission: string): boolean => session.value?.permissions.includes(permission) ?? false;
  return { session, query, signIn, signOut, actor, may };
}
