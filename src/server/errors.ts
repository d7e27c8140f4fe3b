// Owns the errors of the HTTP server itself: what is wrong with a request before a verb of the library runs.
import { defineErrors } from '../kernel/index.js';

export const serverErrors = defineErrors({
  credential_missing: {
    exit: 3,
    when: 'a request has no credential, or one that is not `Authorization: Bearer TOKEN`',
    help: 'send an API token in the header Authorization, never in the address; docs/api.md shows how to get one',
  },
  csrf_refused: {
    exit: 3,
    when: 'a browser that is signed in sends a write without the value that only a page of this server knows',
    help: 'load the page again; a program sends a token in the header Authorization, and needs no such value',
  },
  sign_in_unconfigured: {
    exit: 3,
    when: 'a browser is to sign in through a provider, and the server has none',
    help: 'sign in with a token or a link, or ask the operator; docs/sign-in.md says how a provider is configured',
  },
  sign_in_invalid: {
    exit: 3,
    when: 'the provider that `gcos serve` is given cannot be used: an option is missing, is no address, or its secret cannot be read',
    help: 'give --oidc-issuer, --oidc-client-id, --oidc-client-secret env:NAME or file:PATH, and --public-url; see docs/sign-in.md',
  },
  sign_in_failed: {
    exit: 3,
    when: 'a browser comes back from the provider with an answer that is not the one to its own sign-in, or is not valid',
    help: 'begin the sign-in again, in this browser; `detail` says what is wrong with the answer',
  },
  provider_unavailable: {
    exit: 4,
    when: 'the provider through which browsers sign in does not answer',
    help: 'begin the sign-in again a little later; the operator checks the address of --oidc-issuer from the machine of the server',
  },
  route_unknown: {
    exit: 3,
    when: 'the address of a request is none of the API',
    help: '/api/v1/openapi.json describes every address',
  },
  method_unknown: {
    exit: 3,
    when: 'the address exists, but not with this method',
    help: 'the header Allow lists the methods of the address',
  },
  request_malformed: {
    exit: 3,
    when: 'a parameter, a header or a field of the body is unknown, missing, repeated or malformed',
    help: '`errors` names each place; /api/v1/openapi.json describes the form of every value',
  },
  body_invalid: {
    exit: 3,
    when: 'the body of a request is not JSON in UTF-8, is incomplete, is nested too deeply, has too many members, or repeats a name in one object',
    help: 'send one JSON value with every name once',
  },
  body_too_large: {
    exit: 3,
    when: 'the body of a request is larger than its address accepts',
    help: 'send it in parts',
  },
  content_type_unsupported: {
    exit: 3,
    when: 'the body of a request is not `application/json`, or is compressed',
    help: 'send the header `Content-Type: application/json`',
  },
  precondition_missing: {
    exit: 3,
    when: 'a decision does not say with If-Match what it was made on',
    help: 'read the resource, and send its ETag as If-Match: the decision binds to what was read',
  },
  precondition_failed: {
    exit: 2,
    when: 'If-Match names another state of the resource than the current one',
    help: 'read the resource again, and decide on what it is now',
  },
  pass_unknown: {
    exit: 3,
    when: 'no break-glass pass has that code',
    help: '/api/v1/gate/break-glass lists the passes',
  },
  address_refused: {
    exit: 3,
    when: 'the header Host of a request names none of the names by which this server is reached',
    help: 'use the address that the server printed; the operator adds names with `gcos serve --allow-host`',
  },
  cross_site_refused: {
    exit: 3,
    when: 'a page of another site sends a request that could change something',
    help: 'call the API from a program; the operator can allow an origin with `gcos serve --cors-origin`',
  },
  too_many_requests: {
    exit: 3,
    when: 'a credential sends more requests than it may',
    help: 'wait as long as Retry-After says; ask about many subjects in one request',
  },
  server_busy: {
    exit: 4,
    when: 'as many requests are running as the server takes at a time',
    help: 'repeat the request as Retry-After says',
  },
  server_stopping: {
    exit: 4,
    when: 'the server is stopping, and takes no new requests',
    help: 'repeat the request as Retry-After says: another server, or this one restarted, answers it',
  },
  deadline_passed: {
    exit: 4,
    when: 'a request was not answered within its deadline',
    help: 'repeat it; a write with the same Idempotency-Key is done once',
  },
  listen_refused: {
    exit: 3,
    when: 'the address of the server is in use, not of this machine, or open to others without TLS or a proxy',
    help: 'choose another --port or --host; an address other than loopback needs --tls-cert and --tls-key, or --behind-proxy',
  },
  tls_invalid: {
    exit: 3,
    when: 'the certificate or the key of the server cannot be read, or do not belong together',
    help: 'give a certificate chain and its key as PEM files with --tls-cert and --tls-key',
  },
});
