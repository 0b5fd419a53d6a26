import * as calls from '@keyturn/contract/accounts/suspensions.ts'
import type { Browser } from '../browser.ts'
import type { TestPerson } from '../people.ts'

const body = { reason: 'FRAUD', note: 'Two people say that they paid you for the same car.' } as const

export const suspend = (administrator: Browser, { id: userId }: TestPerson) =>
  administrator.ask(calls.suspendPerson, { params: { userId }, body })
export const tryToSuspend = (administrator: Browser, { id: userId }: TestPerson) =>
  administrator.send(calls.suspendPerson, { params: { userId }, body })

/** Lifts the newest suspension. */
export async function lift(administrator: Browser, { id: userId }: TestPerson) {
  const { suspensions } = await administrator.ask(calls.readPersonState, { params: { userId } })
  const suspensionId = suspensions[0]?._id ?? ''
  return administrator.ask(calls.liftSuspension, { params: { userId, suspensionId } })
}
