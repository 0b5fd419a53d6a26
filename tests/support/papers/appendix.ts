import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { sha256 } from '../../../server/modules/agreements/evidence-hashes.ts'
import type { SignedAgreement } from '../../../server/modules/agreements/pdf/agreement-pdf.ts'
import type { Appendix, CertifiedParty } from '../../../server/modules/agreements/pdf/certificate-data.ts'

/** Builds the appendix of a signed agreement, without needing a deal. */
export function buildAppendix(
  { _id }: Pick<SignedAgreement, '_id'>,
  overrides: Partial<Appendix['certificate']> = {},
): Appendix {
  const party = (role: CertifiedParty['role'], email: string): CertifiedParty => ({
    role,
    email,
    verifiedAt: '2026-11-01T08:00:00.000Z',
    signIn: { at: '2026-11-20T09:58:00.000Z', withPassword: false, withPasskey: false },
    shownAt: role === 'SELLER' ? '2026-11-20T12:01:00.000Z' : null,
    fetchedAt: role === 'SELLER' ? '2026-11-20T12:01:30.000Z' : null,
    consent: role === 'SELLER' ? { version: currentConsent.version, at: '2026-11-21T10:05:03.120Z' } : null,
    from: 'Chrome on Windows, network 203.0.113.x',
    digest: sha256(email).toString('hex'),
  })
  const root = sha256('root').toString('base64')
  const note = `keyturn.example/log\n3\n${root}\n\n— keyturn.example/log ${Buffer.alloc(68, 7).toString('base64')}\n`
  return {
    certificate: {
      number: _id,
      verify: `https://keyturn.example/verify?agreement=${_id}`,
      origin: 'https://keyturn.example',
      parties: [party('SELLER', 'selma@example.com'), party('BUYER', 'basil@example.com')],
      address: '100 Main Street, Springfield, IL 62701',
      packageDigest: sha256('package').toString('hex'),
      events: [
        { at: '2026-11-20T10:00:00.000Z', who: 'Buyer', what: 'Started the purchase' },
        { at: '2026-11-20T10:05:00.000Z', who: 'Buyer', what: 'Submitted a request', to: '$9,000' },
        {
          at: '2026-11-20T11:05:00.000Z',
          who: 'Buyer',
          what: 'Changed the price',
          from: '$9,000',
          to: '$9,200',
        },
        { at: '2026-11-20T12:00:00.000Z', who: 'Seller', what: 'Confirmed the buyer', to: '$9,200' },
        { at: '2026-11-21T10:05:03.120Z', who: 'Seller', what: 'Signed as seller', to: 'Selma Sanders' },
        { at: '2026-11-21T10:07:00.000Z', who: 'Buyer', what: 'Signed as buyer', to: 'Basil Byrd' },
      ],
      head: { size: 3, root, note },
      ...overrides,
    },
    files: [{ name: 'agreement-package.json', description: 'The package', text: '{"price":9200}' }],
    sealedAt: '2026-11-21T10:07:05.000Z',
  }
}
