// Owns the errors of the HTTP server itself: what is wrong with a request before a verb of the library runs.
import { defineErrors } from '../kernel/index.js';

export const serverErrors = defineErrors({
  credential_missing: {
    exit: 3,
    when: 'a request has no credential, or one that is not `Authorization: Bearer TOKEN`',
    help: 'send an API token in the header Authorization, never in the address; docs/api.md shows how to get one',
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
  input_invalid: {
    exit: 3,
    when: 'a parameter, a header or a field of the body is unknown, missing, repeated or malformed',
    help: '`errors` names each place; /api/v1/openapi.json describes the form of every value',
  },
  body_invalid: {
    exit: 3,
    when: 'the body of a request is not JSON in UTF-8, is nested too deeply, or repeats a name in one object',
    help: 'send one JSON value with every name once',
  },
  body_too_large: {
    exit: 3,
    when: 'the body of a request is larger than its address accepts',
    help: 'send it in parts',
  },
  content_type_unsupported: {
    exit: 3,
    when: 'the body of a request is not `application/json`',
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
});
