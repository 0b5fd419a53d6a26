import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { Anchor } from '@mantine/core'
import { PhoneLink } from '../../../components/display/phone-link.tsx'
import type { Fact } from '../../../components/lists/fact-table.tsx'

export const contactFacts = (
  { email, phoneNumber }: Person,
  texts: { email: string; phone: string },
): Fact[] => [
  { term: texts.email, value: email && <Anchor href={`mailto:${email}`}>{email}</Anchor> },
  { term: texts.phone, value: phoneNumber && <PhoneLink number={phoneNumber} /> },
]
