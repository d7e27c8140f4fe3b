// The options of `gcos serve` for the organisation's provider. INVARIANT: the command line says where the
// secret is, never what it is: a list of processes shows every argument.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { OidcOptions } from '../server/index.js';
import { cliErrors } from './errors.js';
import { words } from './parse.js';

export interface OidcFlags {
  readonly oidcIssuer?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecret?: string;
  readonly publicUrl?: string;
}

export const withOidcOptions = (command: Command): Command =>
  command
    .option(
      '--oidc-issuer <url>',
      'the OpenID Connect provider through which browsers sign in',
      words('--oidc-issuer'),
    )
    .option('--oidc-client-id <id>', 'the client as which the provider knows GCOS', words('--oidc-client-id'))
    .option(
      '--oidc-client-secret <location>',
      'where the secret of the client is: env:NAME or file:PATH',
      words('--oidc-client-secret'),
    )
    .option(
      '--public-url <url>',
      'where browsers reach this server, for the provider to send them back',
      words('--public-url'),
    );

function readSecret(place: string): string {
  const [, kind, rest = ''] = /^(env|file):(.+)$/s.exec(place) ?? [];
  // The text itself may be a secret: no message repeats it.
  if (kind === undefined)
    throw cliErrors.usage_invalid('--oidc-client-secret is neither env:NAME nor file:PATH');
  let secret: string | undefined;
  try {
    secret = (kind === 'env' ? process.env[rest] : readFileSync(rest, 'utf8'))?.trim();
  } catch (cause) {
    throw cliErrors.usage_invalid(`--oidc-client-secret: \`${rest}\` cannot be read`, { cause });
  }
  if (secret === undefined || secret === '')
    throw cliErrors.usage_invalid(`--oidc-client-secret: there is nothing at \`${place}\``);
  return secret;
}

/** The provider that the flags name; undefined: none. */
export function oidcOf({
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  publicUrl,
}: OidcFlags): OidcOptions | undefined {
  const given = [oidcIssuer, oidcClientId, oidcClientSecret, publicUrl];
  if (given.every((each) => each === undefined)) return undefined;
  if (
    oidcIssuer === undefined ||
    oidcClientId === undefined ||
    oidcClientSecret === undefined ||
    publicUrl === undefined
  )
    throw cliErrors.usage_invalid(
      '--oidc-issuer, --oidc-client-id, --oidc-client-secret and --public-url belong together',
    );
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: readSecret(oidcClientSecret),
    publicUrl,
  };
}
