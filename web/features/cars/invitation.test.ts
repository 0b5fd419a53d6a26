import { expect, test } from 'vitest'
import { createInvitation, type Invitation, mailtoHref, openShareSheet } from './invitation.ts'

const car = { year: 2003, make: 'Honda', carModel: 'Accord' }
const invitation = createInvitation(
  car,
  { firstName: 'Sam', lastName: 'Seller' },
  'https://k.example/car?vin=1',
)

// R-cars-20
test('names the seller, the car and the link in an invitation', () => {
  expect(invitation).toEqual({
    title: '2003 Honda Accord',
    text: 'Sam Seller invites you to buy this 2003 Honda Accord',
    url: 'https://k.example/car?vin=1',
  })
  const mail = new URL(mailtoHref(invitation))
  expect([mail.protocol, mail.pathname]).toEqual(['mailto:', ''])
  expect(mail.searchParams.get('subject')).toBe(invitation.title)
  expect(mail.searchParams.get('body')).toBe(`${invitation.text}\n\n${invitation.url}`)
})

test('opens the share sheet; a closed one counts as success, a failed one does not', async () => {
  const given: Invitation[] = []
  expect(await openShareSheet({ share: async (one) => given.push(one) }, invitation)).toBe(true)
  expect(given).toEqual([invitation])
  const failing = (name: string) => ({ share: () => Promise.reject(new DOMException('', name)) })
  expect(await openShareSheet(failing('AbortError'), invitation)).toBe(true)
  expect(await openShareSheet(failing('NotAllowedError'), invitation)).toBe(false)
  expect(await openShareSheet({}, invitation)).toBe(false)
})
