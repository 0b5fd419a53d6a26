import type { Config } from '../../../config.ts'

/** The relying party of WebAuthn: from the configuration, never from a request (R-accounts-43). */
export const relyingPartyOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  id: publicUrl.hostname,
  name: 'Keyturn',
  origin: publicUrl.origin,
})

/** Loading the library takes about half a second and 30 MB, so a process loads it for its first passkey. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
