import * as accounts from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import { addCar as addCarCall } from '@keyturn/contract/cars/endpoints.ts'
import * as deals from '@keyturn/contract/deals/endpoints.ts'
import { addTrade as addTradeCall, tradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import { eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { decideOnWholesaler } from '../../modules/accounts/administrator/administration.ts'
import { register } from '../../modules/accounts/people/registration.ts'
import { verifyEmail } from '../../modules/accounts/people/verification.ts'
import { users } from '../../modules/accounts/tables.ts'
import { signWith } from '../../modules/agreements/sign.ts'
import { addCar } from '../../modules/cars/add-car.ts'
import { describeCar, editCar } from '../../modules/cars/edit-car.ts'
import { insertVinAnswer } from '../../modules/cars/repository.ts'
import { updatePrice } from '../../modules/cars/update-price.ts'
import { passToDealer } from '../../modules/dealers/pass-to-dealer.ts'
import { readProgress } from '../../modules/deals/dashboards/read-deals.ts'
import { listingHooks } from '../../modules/deals/listing-hooks.ts'
import { completeDeal } from '../../modules/deals/purchase/complete-deal.ts'
import { decideRequest } from '../../modules/deals/purchase/decide-request.ts'
import { proposePrice } from '../../modules/deals/purchase/proposals.ts'
import { requestCar } from '../../modules/deals/purchase/request-car.ts'
import { startProgress, updateProgress } from '../../modules/deals/purchase/update-progress.ts'
import { markRead, readerOf } from '../../modules/notifications/read-notifications.ts'
import { listNotifications } from '../../modules/notifications/repository.ts'
import { addTrade } from '../../modules/trades/add-trade.ts'
import { moveTrade } from '../../modules/trades/move-trade.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { withoutTimeouts } from '../../platform/database/without-timeouts.ts'
import type { Administrator, UserActor } from '../../platform/http/authorization.ts'
import type { SessionContext } from '../../platform/http/change-context.ts'
import { mails } from '../../platform/mail/tables.ts'
import type { DemoPerson } from '../../platform/startup/welcome.ts'
import {
  type DemoCarName,
  type DemoTradeName,
  decodedVins,
  demoCars,
  demoDescriptions,
  demoTrades,
} from './demo-cars.ts'
import { type DemoPersonName, demoPeople, demoPersonNames } from './demo-people.ts'
import { type DemoActions, playScenarios } from './scenarios.ts'
import { createSeedClock, type SeedClock } from './seed-clock.ts'

/** Arbitrary, but no other program on this database may use the same lock. */
const advisoryLock = 7_165_012

/** If two starts run concurrently, one waits for the other. */
export async function seedDemo(deps: Deps, print: (line: string) => void): Promise<DemoPerson[]> {
  if ((await findDemoAddresses(deps.db)).size === 0) {
    print('Creating the demo accounts')
    await withoutTimeouts(deps.pool, async (client) => {
      await client.query('select pg_advisory_lock($1)', [advisoryLock])
      if ((await findDemoAddresses(deps.db)).size === 0) await transaction(deps.db, (tx) => seedAll(deps, tx))
    })
  }
  const existing = await findDemoAddresses(deps.db)
  return demoPersonNames
    .map((name) => demoPeople[name])
    .filter(({ email }) => existing.has(email))
    .map(({ who, email, password, shows }) => ({ who, email, password, shows }))
}

/**
 * Any of these addresses shows that the seed has run: the other accounts may have been deleted in
 * the meantime.
 */
async function findDemoAddresses(db: Db): Promise<Set<string | null>> {
  const addresses = demoPersonNames.map((name) => demoPeople[name].email)
  const rows = await db.select({ email: users.email }).from(users).where(inArray(users.email, addresses))
  return new Set(rows.map((row) => row.email))
}

async function seedAll(deps: Deps, tx: Db): Promise<void> {
  const clock = await createSeedClock(tx)
  await playScenarios(createActions(demoDeps(deps, tx), clock))
  await clock.restore()
}

/** Disables rate limits and delays; nothing may reach a real mailbox or a tax rate provider. */
const demoDeps = (deps: Deps, tx: Db): Deps => ({
  ...deps,
  db: tx,
  log: deps.log.child({}, { level: 'error' }),
  config: { ...deps.config, rateLimits: false, smtpUrl: null, taxApi: null, wholesalerSignup: 'approve' },
})

const demoVisitor = {
  ip: '127.0.0.1',
  timeZone: null,
  userAgent: 'Keyturn demo',
  access: null,
  refresh: null,
  device: null,
}

/**
 * Wraps the use cases of the contract's endpoints; inputs are parsed with the endpoints' own
 * schemas.
 */
function createActions(deps: Deps, clock: SeedClock): DemoActions {
  const people = new Map<DemoPersonName, UserActor>()
  const cars = new Map<DemoCarName, { id: string; seller: UserActor; packageId: string | null }>()
  const tradeIds = new Map<DemoTradeName, string>()
  const administrator: Administrator = {
    id: null,
    username: deps.config.admin?.username ?? 'admin',
    role: 'OPERATOR',
    sessionId: newId(),
    ip: demoVisitor.ip,
    isConfirmed: true,
    mustEnroll: false,
  }

  const person = (name: DemoPersonName) => requireKnown(people, name)
  /** Stores the VIN's answer as Verify VIN does; the decoder would take a second for each. */
  const verify = (car: (typeof demoCars)[DemoCarName] | (typeof demoTrades)[DemoTradeName]) => {
    const { vin, make, carModel: model, year } = car
    return insertVinAnswer(deps.db, { vin, make, model, year, ...decodedVins[vin] })
  }
  const sellerOf = (car: DemoCarName) => requireKnown(cars, car).seller
  const at = (car: DemoCarName) => ({ userId: sellerOf(car).id, vin: demoCars[car].vin })

  async function progress(actor: UserActor, car: DemoCarName, data: object) {
    const form = parse(deals.updateProgress.body, { ...at(car), data })
    const { pkgId } = await updateProgress(deps, by(actor), form, signWith(passToDealer))
    cars.set(car, { ...requireKnown(cars, car), packageId: pkgId })
  }

  const decide = (car: DemoCarName, buyer: DemoPersonName, decision: object) => {
    const form = parse(deals.decideRequest.body, { ...at(car), buyerId: person(buyer).id, ...decision })
    return decideRequest(deps, by(sellerOf(car)), form)
  }

  const atNextTick =
    <Given extends unknown[]>(act: (...given: Given) => Promise<unknown>) =>
    async (...given: Given): Promise<void> => {
      await clock.tick()
      await act(...given)
    }

  return {
    ago: clock.ago,
    join: atNextTick(async (name) => {
      const form = { ...demoPeople[name], confirmPassword: demoPeople[name].password }
      const { user } = await register(deps, demoVisitor, parse(accounts.register.body, form))
      await verifyEmail(deps, demoVisitor, await takeMailedCode(deps.db, user.email))
      const { _id: id, userType } = user
      people.set(name, { id, sessionId: newId(), userType, verified: true, wholesaler: false })
    }),
    approve: atNextTick(async (name) => {
      await decideOnWholesaler(deps, administrator, person(name).id, true)
      people.set(name, { ...person(name), wholesaler: true })
    }),
    list: atNextTick(async (name, car) => {
      const seller = person(name)
      await verify(demoCars[car])
      const { _id: id } = await addCar(deps, seller, parse(addCarCall.body, demoCars[car]))
      cars.set(car, { id, seller, packageId: null })
      const words = demoDescriptions[car]
      if (words)
        await describeCar(
          { ...deps, hooks: listingHooks },
          by(seller),
          id,
          parse(carEndpoints.describeCar.body, words),
        )
    }),
    setPrice: atNextTick((car, price) => {
      const form = parse(carEndpoints.updatePrice.body, { newPrice: price })
      return updatePrice(
        { ...deps, hooks: listingHooks },
        by(sellerOf(car)),
        requireKnown(cars, car).id,
        form,
      )
    }),
    setMileage: atNextTick((car, mileage) => {
      const form = parse(carEndpoints.editCar.body, { vin: demoCars[car].vin, mileage })
      return editCar({ ...deps, hooks: listingHooks }, by(sellerOf(car)), form)
    }),
    begin: atNextTick((buyer, car) => startProgress(deps, by(person(buyer)), at(car))),
    answer: atNextTick((buyer, car, stage, { tradeVins, ...answers } = {}) => {
      const chosen = tradeVins && { tradeVins: vinsOf(tradeVins) }
      return progress(person(buyer), car, { userType: 'BUYER', step: upTo(stage), ...answers, ...chosen })
    }),
    request: atNextTick((buyer, car, price, trades = []) => {
      const { userId: sellerId, vin } = at(car)
      const form = { vin, sellerId, price, trades: vinsOf(trades) }
      return requestCar(deps, by(person(buyer)), parse(deals.requestCar.body, form))
    }),
    propose: atNextTick((buyer, car, price) => {
      const form = { ...at(car), buyerId: person(buyer).id, price }
      return proposePrice(deps, by(sellerOf(car)), parse(deals.proposePrice.body, form))
    }),
    confirm: atNextTick((buyer, car) => decide(car, buyer, { status: 'ACCEPTED' })),
    deny: atNextTick((buyer, car, message) => decide(car, buyer, { status: 'REJECTED', message })),
    sign: atNextTick((name, car) => {
      const isSeller = person(name) === sellerOf(car)
      const side = isSeller ? 'seller' : 'buyer'
      return progress(person(name), car, {
        userType: isSeller ? 'SELLER' : 'BUYER',
        step: upTo(isSeller ? 2 : 7),
        agreementSigned: true,
        [`${side}Signed`]: true,
        [`${side}SignedName`]: fullName(demoPeople[name]),
        [`${side}Signature`]: fullName(demoPeople[name]),
        consent: true,
      })
    }),
    look: atNextTick((buyer, car) => {
      const { userId: sellerId, vin } = at(car)
      return readProgress(deps, { user: person(buyer), administrator: null }, { sellerId, vin })
    }),
    complete: atNextTick((car) =>
      completeDeal(deps, administrator, requireKnown(cars, car).packageId ?? '', newId()),
    ),
    readNotifications: atNextTick(async (name) => {
      const actor = person(name)
      const before = { userId: actor.id, at: clock.present().toISOString(), id: '', limit: 100 }
      const old = await listNotifications[readerOf(actor)](deps.db, before)
      for (const { id } of old) await markRead(deps.db, actor, id)
    }),
    addTrade: atNextTick(async (owner, trade) => {
      await verify(demoTrades[trade])
      const form = parse(addTradeCall.body, demoTrades[trade])
      tradeIds.set(trade, (await addTrade(deps, person(owner), form))._id)
    }),
    moveTrade: atNextTick((name, trade, status, price) => {
      const caller = { user: person(name), administrator: null }
      return moveTrade(
        deps,
        caller,
        requireKnown(tradeIds, trade),
        parse(tradeMoveRequest, { status, price }),
      )
    }),
  }
}

const by = ({ id, sessionId }: UserActor): SessionContext => ({
  actorId: id,
  sessionId,
  requestId: newId(),
  ip: demoVisitor.ip,
  userAgent: demoVisitor.userAgent,
})

/** Deletes the email once its link is used: the mailbox keeps later ones. */
async function takeMailedCode(tx: Db, email: string): Promise<string> {
  const [mail] = await tx.delete(mails).where(eq(mails.recipient, email)).returning({ text: mails.text })
  return /[?&]code=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const parse = <Form>(schema: z.ZodType<Form>, wire: unknown): Form => schema.parse(wire)

const upTo = (stage: number) => [...Array(stage + 1).keys()]

const vinsOf = (trades: readonly DemoTradeName[]) => trades.map((trade) => demoTrades[trade].vin)

function requireKnown<Key, Value>(map: Map<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`the demo stories use ${key} before it is there`)
  return value
}
