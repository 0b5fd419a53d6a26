import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { passkeyTexts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { tokenTexts } from '@keyturn/contract/accounts/token-texts.ts'
import { claimTexts } from '@keyturn/contract/cars/claim-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { defaultSentence, fieldSentences } from '@keyturn/contract/shared/field-sentences.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { webhookTexts } from '@keyturn/contract/shared/webhooks.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { expect, test } from 'vitest'
import type { WireInput } from '../../../tests/support/browser.ts'
import { createDealerKey, signDealerRequest } from '../../../tests/support/dealers/dealer-client.ts'
import { enableDesk } from '../../../tests/support/dealers/enable-desk.ts'
import { exampleInputs, targetWithoutRows } from '../../../tests/support/example-inputs.ts'
import { anAdministrator, aSeller } from '../../../tests/support/people.ts'
import { aSaleAt, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { fieldPathsOf, withField } from '../../../tests/support/schema-fields.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const key = createDealerKey()
const server = await startTestServer({ DEALER_WEBHOOK_SECRET: key })
const desk = enableDesk(server)
/** A seller who is also signed in as the administrator: together they may call every endpoint. */
const browser = await aSeller(server)
for (const [name, value] of (await anAdministrator(server)).cookies) browser.cookies.set(name, value)

const ours = new Set<string>([
  ...Object.values(fieldTexts),
  ...Object.values(fieldSentences),
  pushTexts.badSubscription,
  ...[
    accountTexts,
    administratorTexts,
    suspensionTexts,
    passkeyTexts,
    tokenTexts,
    carTexts,
    claimTexts,
    dealTexts,
    messagesTexts,
    tradeTexts,
    dealersTexts,
    webhookTexts,
  ].flatMap(sentencesIn),
])
/** A deal of the dealer, because its requests are parsed only after authorization. */
const passed = {
  ...targetWithoutRows(),
  pkgId: (await readProgressOf(await aSaleAt(server, 'passed'))).pkgId ?? '',
}
const isSystems = ({ callers }: Endpoint) => callers.every((name) => name === 'partner')
const signatures = (call: Endpoint, input: WireInput) =>
  isSystems(call) ? signDealerRequest(call, input, call.name === deliverToDesk.name ? desk.key : key) : {}
const inputs = (call: Endpoint) => exampleInputs(call, isSystems(call) ? passed : targetWithoutRows())
/** The beginnings of zod's default messages. */
const librarys =
  /^(Invalid (input|option|string|number|key|element|date|discriminator|type)\b|Too (big|small)|Unrecognized|Expected|Required)/

/** Missing values, and values of a wrong type, length, count, size or format. */
const scalars = [undefined, null, true, -1, 0.005, 1e12, '', ' ', '\u0007', 'not it', 'x'.repeat(5000)]
const wrong = [...scalars, [], Array(50).fill('x'), [[]], {}]
/** Values for URLs, which contain only text of limited length. */
const wrongTexts = ['-1', '0.005', '1e12', ' ', '\u0007', 'not it', 'x'.repeat(250)]

/** Endpoints that return the same 404 for any unknown value (R-deals-78, R-deals-107, R-deals-111). */
const takesAnyValue = ['GET /verify/:agreement', 'GET /agreements/:token', 'GET /log/tile/:level/*']
const asking = allEndpoints.filter(
  (call) => (call.params || call.query || call.body) && !takesAnyValue.includes(call.name),
)

// R-everywhere-32
test.each(asking)('$name: explains each invalid field with a sentence from the contract', async (call) => {
  const tries = refusedBy(call)
  expect(tries.length).toBeGreaterThan(0)
  const told = new Set<string>()
  for (const input of tries) {
    const sent = await browser.send(call, input, signatures(call, input))
    const what = `${JSON.stringify(input).slice(0, 200)} -> ${sent.body}`
    expect(sent.status, what).toBe(400)
    const { errorCode, message, errors = [] } = sent.error
    expect(errorCode, what).toBe('ValidationError')
    expect(errors.length, what).toBeGreaterThan(0)
    expect(message, what).toBe(errors[0]?.message)
    for (const fault of errors) {
      expect(fault.message, what).not.toMatch(librarys)
      expect(fault.message, what).not.toBe(defaultSentence)
      expect(ours, what).toContain(fault.message)
      told.add(fault.path)
    }
  }
  expect([...pathsThatCanBeWrong(call)].filter((path) => !told.has(path))).toEqual([])
})

test('explains a list in place of a form with a sentence from the contract', async () => {
  for (const call of asking.filter(({ body }) => body)) {
    const input = { ...inputs(call)[0], body: ['x'] }
    const sent = await browser.send(call, input, signatures(call, input))
    expect([call.name, sent.status]).toEqual([call.name, 400])
    for (const { message } of sent.error.errors ?? []) expect([...ours], call.name).toContain(message)
  }
})

/** Inputs that the endpoint's schemas reject, one field at a time. */
function refusedBy(call: Endpoint): WireInput[] {
  return inputs(call).flatMap((input) => [
    ...tries(input, 'body', call, wrong),
    ...tries(input, 'params', call, wrongTexts),
    ...tries(input, 'query', call, wrongTexts),
  ])
}

function tries(
  input: WireInput,
  where: 'body' | 'params' | 'query',
  call: Endpoint,
  values: unknown[],
): WireInput[] {
  const schema = call[where]
  return fieldPathsOf(schema)
    .flatMap((path) => values.map((value) => ({ ...input, [where]: withField(input[where], path, value) })))
    .filter((tried) => schema && !schema.safeParse(tried[where] ?? {}).success)
}

function pathsThatCanBeWrong(call: Endpoint): Set<string> {
  const paths = [...fieldPathsOf(call.params), ...fieldPathsOf(call.query), ...fieldPathsOf(call.body)]
  return new Set(paths.filter((path) => !takesAnything.includes(`${call.name} ${path}`)))
}

/**
 * Fields without validation: unknown steps are ignored, and the type of a deleted account is only
 * compared.
 */
const takesAnything = ['PATCH /progress/update data.step.0', 'DELETE /user/:userType/:id userType']

function sentencesIn(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(sentencesIn) : []
}
