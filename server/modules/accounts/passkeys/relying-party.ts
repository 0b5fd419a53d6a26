import type { Config } from '../../../config.ts'

/** The relying party of WebAuthn: from the configuration, never from a request (R-accounts-43). */
export const relyingPartyOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  id: publicUrl.hostname,
  name: 'Keyturn',
  origin: publicUrl.origin,
})
