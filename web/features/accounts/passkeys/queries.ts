import { listPasskeys } from '@keyturn/contract/accounts/passkeys.ts'
import { endpointQuery } from '../../../api/queries.ts'

export const passkeysQuery = endpointQuery(listPasskeys, ['accounts', 'passkeys'])
