import { createToken } from '@keyturn/contract/accounts/tokens.ts'
import type { Scope } from '@keyturn/contract/shared/endpoint.ts'
import type { Browser } from '../browser.ts'
import type { TestServerLike } from '../people.ts'

/** Creates a token of this person with these scopes. */
export async function aToken(person: Browser, scopes: readonly Scope[]) {
  return person.ask(createToken, { body: { name: 'Inventory script', scopes } })
}

/** A program outside of a browser: no cookies, no headers of a page, and one token. */
export function aProgram({ browser }: TestServerLike, token: string): Browser {
  const outside = browser()
  const send: Browser['send'] = (call, input, headers = {}) =>
    outside.send(call, input, { ...noPage, authorization: `Bearer ${token}`, ...headers })
  return {
    cookies: outside.cookies,
    send,
    ask: async (call, input, headers) => (await send(call, input, headers)).answer,
  }
}

/** What a browser sends for a request that no page made. Programs send none of it. */
const noPage = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
