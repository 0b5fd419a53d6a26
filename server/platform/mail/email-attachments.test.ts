import { listEmailAttachments, readEmailAttachment } from '@keyturn/contract/accounts/email-endpoints.ts'
import { listEmails } from '@keyturn/contract/accounts/endpoints.ts'
import { readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import { deliveredPackage1 } from '@keyturn/contract/frozen/package-1/delivered-package.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { anAdministrator } from '../../../tests/support/people.ts'
import { aSaleAt, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// The built-in mailbox also shows attachments.

const server = await startTestServer({ DEALER_EMAIL: 'deals@dealer.example' })
const administrator = await anAdministrator(server)
const sale = await aSaleAt(server, 'passed')
const pkgId = (await readProgressOf(sale)).pkgId ?? ''
const mailTo = async (address: string) => {
  const found = (await administrator.ask(listEmails)).find(({ to }) => to === address)
  return { mailId: found?._id ?? '', hasFiles: found?.hasFiles }
}
const bytesOf = (url: string, { cookies }: Browser) =>
  server.app.inject({ url, headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } })

test('shows each party the PDF that is attached to their email', async () => {
  const { mailId, hasFiles } = await mailTo(sale.buyer.email)
  expect(hasFiles).toBe(true)
  const files = await administrator.ask(listEmailAttachments, { params: { mailId } })
  const name = `vehicle-sale-agreement-${sale.car.vin}.pdf`
  expect(files).toEqual([{ name, type: 'application/pdf', bytes: expect.any(Number) }])
  const sent = await bytesOf(`/admin/mails/${mailId}/files/0`, administrator)
  expect(sent.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  expect(sent.rawPayload.length).toBe(files[0]?.bytes)
  const own = await bytesOf(readAgreementPdf.path.replace(':pkgId', pkgId), sale.buyer)
  expect(sent.rawPayload.equals(own.rawPayload)).toBe(true)
  const none = await administrator.send(readEmailAttachment, { params: { mailId, file: '1' } })
  expect(none.status).toBe(404)
})

test('shows the package and the agreement that are attached to the email to a dealer', async () => {
  const { mailId } = await mailTo('deals@dealer.example')
  const files = await administrator.ask(listEmailAttachments, { params: { mailId } })
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    [`package-${pkgId}.json`, 'application/json'],
    [`agreement-${pkgId}.pdf`, 'application/pdf'],
  ])
  const json = await bytesOf(`/admin/mails/${mailId}/files/0`, administrator)
  expect(deliveredPackage1.parse(json.json())).toMatchObject({ pkgId })
})

test('returns no files for an email without attachments, and 404 for an unknown one', async () => {
  const [first] = (await administrator.ask(listEmails)).filter((mail) => !mail.hasFiles)
  expect(await administrator.ask(listEmailAttachments, { params: { mailId: first?._id ?? '' } })).toEqual([])
  const unknown = await administrator.send(listEmailAttachments, { params: { mailId: 'e'.repeat(24) } })
  expect(unknown.status).toBe(404)
})

test('has no mailbox when SMTP_URL is set', async () => {
  const { mailId } = await mailTo(sale.buyer.email)
  const { config } = server.deps
  server.deps.config = { ...config, smtpUrl: 'smtp://127.0.0.1:1' }
  onTestFinished(() => {
    server.deps.config = config
  })
  const closed = await administrator.send(listEmailAttachments, { params: { mailId } })
  expect(closed.status).toBe(404)
})
