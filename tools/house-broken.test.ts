import { expect, test } from 'vitest'
import { houseOf } from './house/house.ts'
import { outdated, rules } from './house/rules.ts'

// Breaks each rule of the house once, in a small sample house: the break must be noticed, and by that rule alone.

const whole: Record<string, string> = {
  'contract/kit/call.ts': `import { z } from 'zod'\nexport const call = (name: string) => z.literal(name)`,
  'contract/cars/calls.ts': `import { call } from '../kit/call.ts'\nexport const addCar = call('POST /cars/input')`,
  'contract/cars/rules.ts': `export const most = 9\nexport type Color = 'RED'`,
  'contract/deals/calls.ts': `import { call } from '../kit/call.ts'\nimport { addCar } from '../cars/calls.ts'\nexport const sign = call('PATCH /cars/sign')\nexport const seen = addCar`,
  'contract/deals/rules.ts': `import type { Color } from '../cars/rules.ts'\nexport const color: Color = 'RED'`,
  'server/main.ts': `import { buildApp } from './app.ts'\nbuildApp(process.env)`,
  'server/app.ts': `import { registerCars } from './cars/routes.ts'\nimport { registerDeals } from './deals/routes.ts'\nexport const buildApp = (env: unknown) => [registerCars(), registerDeals(), env]`,
  'server/http/answer.ts': `export const answer = (...all: unknown[]) => all`,
  'server/cars/tables.ts': `import { pgTable } from 'drizzle-orm/pg-core'\nexport const cars = pgTable('cars', {})`,
  'server/cars/store.ts': `import type { Color } from '@keyturn/contract/cars/rules.ts'\nimport { cars } from './tables.ts'\nexport const save = (db: any, color: Color) => db.insert(cars).values({ color })`,
  'server/cars/actions.ts': `import { save } from './store.ts'\nexport const addCar = save`,
  'server/cars/routes.ts': `import * as calls from '@keyturn/contract/cars/calls.ts'\nimport { answer } from '../http/answer.ts'\nexport const registerCars = () => answer(null, calls.addCar, null)`,
  'server/deals/tables.ts': `import { pgTable } from 'drizzle-orm/pg-core'\nexport const deals = pgTable('deals', {})`,
  'server/deals/store.ts': `import { cars } from '../cars/tables.ts'\nimport { deals } from './tables.ts'\nexport const read = (db: any) => db.select().from(deals).innerJoin(cars)`,
  'server/deals/routes.ts': `import * as calls from '@keyturn/contract/deals/calls.ts'\nimport { addCar } from '../cars/actions.ts'\nimport { answer } from '../http/answer.ts'\nexport const registerDeals = () => [answer(null, calls.sign, null), addCar]`,
  'web/app.tsx': `import { DealScreen } from './deals/deal-screen.tsx'\nexport const App = () => <DealScreen />`,
  'web/cars/car-form.tsx': `export const CarForm = () => <form />`,
  'web/cars/secret.tsx': `export const Secret = () => <p />`,
  'web/deals/deal-screen.tsx': `import { CarForm } from '../cars/car-form.tsx'\nexport const DealScreen = () => <CarForm />`,
  'web/ui/theme.ts': `export const theme = {}`,
}

const add = (path: string, line: string) => ({ [path]: `${line}\n${whole[path] ?? ''}` })

const breaks: { promise: string; by: string; change: Record<string, string> }[] = [
  {
    promise: 'the contract imports zod and itself only',
    by: 'a package',
    change: add('contract/deals/rules.ts', `import { sql } from 'drizzle-orm'`),
  },
  {
    promise: 'the contract imports zod and itself only',
    by: 'a type of a package',
    change: add('contract/deals/rules.ts', `type Sql = import('drizzle-orm').SQL`),
  },
  {
    promise: 'the contract imports zod and itself only',
    by: 'a file of the server, exported again',
    change: add('contract/kit/call.ts', `export { answer } from '../../server/http/answer.ts'`),
  },
  {
    promise: 'server and web never meet',
    by: 'a type only',
    change: add('web/ui/theme.ts', `import type { answer } from '../../server/http/answer.ts'`),
  },
  {
    promise: 'server and web never meet',
    by: 'an import over two lines',
    change: add('server/http/answer.ts', `import {\n  theme,\n} from\n  "../../web/ui/theme.ts"`),
  },
  {
    promise: 'server and web never meet',
    by: 'an import while it runs',
    change: add('web/ui/theme.ts', 'const later = () => import(`../../server/http/answer.ts`)'),
  },
  {
    promise: 'rooms lean on rooms below them, never above',
    by: 'a call of the room above',
    change: add('server/cars/store.ts', `import { sign } from '@keyturn/contract/deals/calls.ts'`),
  },
  {
    promise: 'rooms lean on rooms below them, never above',
    by: 'a type of the room above',
    change: add('contract/cars/rules.ts', `import type { sign } from '../deals/rules.ts'`),
  },
  {
    promise: 'nobody leans on what puts the rooms together',
    by: 'a floor of the web that takes the route table',
    change: add('web/ui/theme.ts', `import { App } from '../app.tsx'`),
  },
  {
    promise: 'nobody leans on what puts the rooms together',
    by: 'a room of the server, a type only',
    change: add('server/cars/store.ts', `import type { buildApp } from '../app.ts'`),
  },
  {
    promise: 'nobody leans on what puts the rooms together',
    by: 'a floor that takes every call',
    change: add('server/http/answer.ts', `import { allCalls } from '@keyturn/contract/calls.ts'`),
  },
  {
    promise: 'nobody leans on what puts the rooms together',
    by: 'a card of the administrator',
    change: add('web/cars/secret.tsx', `import { Cards } from '../administrator/cards.tsx'`),
  },
  {
    promise: 'floors know no room',
    by: 'a floor of the server',
    change: add('server/http/answer.ts', `import { cars } from '../cars/tables.ts'`),
  },
  {
    promise: 'floors know no room',
    by: 'a floor of the web',
    change: add('web/ui/theme.ts', `import { most } from '@keyturn/contract/cars/rules.ts'`),
  },
  {
    promise: 'rooms of the server meet at actions.ts and tables.ts only',
    by: 'the store of another room',
    change: add('server/deals/store.ts', `import { save } from '../cars/store.ts'`),
  },
  {
    promise: 'rooms of the server meet at actions.ts and tables.ts only',
    by: 'the file of a thread of another room',
    change: add('server/deals/store.ts', `const worker = new URL('../cars/store.ts', import.meta.url)`),
  },
  {
    promise: "a room's tables are written by nobody else",
    by: 'the query builder, under another name',
    change: {
      'server/deals/sell.ts': `import { cars as theirs } from '../cars/tables.ts'\nexport const sell = (db: any) => db.update(theirs).set({})`,
    },
  },
  {
    promise: "a room's tables are written by nobody else",
    by: 'SQL of its own, with the table put in',
    change: {
      'server/deals/sell.ts': `import { cars } from '../cars/tables.ts'\nconst sell = (sql: any) => sql\`update \${cars} set sold = true\``,
    },
  },
  {
    promise: "a room's tables are written by nobody else",
    by: 'SQL of its own, with the name in it',
    change: add('server/deals/sell.ts', `const sell = 'delete from cars where true'`),
  },
  {
    promise: "a room's tables are written by nobody else",
    by: 'the query builder, out of an object of tables',
    change: {
      'server/cars/tables.ts': `import { pgTable } from 'drizzle-orm/pg-core'\nexport const all = { cars: pgTable('cars', {}) }`,
      'server/cars/store.ts': '',
      'server/deals/store.ts': '',
      'server/deals/sell.ts': `import { all } from '../cars/tables.ts'\nconst { cars } = all\nexport const sell = (db: any) => db.delete(cars)`,
    },
  },
  {
    promise: "whose SQL names another room's table imports its tables.ts",
    by: 'a join in text',
    change: add('server/cars/store.ts', 'const sold = `select 1 from cars join deals on true`'),
  },
  {
    promise: 'rooms of the web meet at the front door only',
    by: 'a file that is no front door',
    change: add('web/deals/deal-screen.tsx', `import { Secret } from '../cars/secret.tsx'`),
  },
  {
    promise: 'a store imports no rules but their types',
    by: 'a value among types, over several lines',
    change: add(
      'server/cars/store.ts',
      `import {\n  type Color as Paint,\n  most,\n} from '@keyturn/contract/cars/rules.ts'`,
    ),
  },
  {
    promise: 'a store imports no rules but their types',
    by: 'a rule, exported again',
    change: add('server/cars/store.ts', `export { most } from '@keyturn/contract/cars/rules.ts'`),
  },
  {
    promise: 'rules import no calls',
    by: 'the shape of a call',
    change: add('contract/deals/rules.ts', `import type { sign } from './calls.ts'`),
  },
  {
    promise: 'rules import no calls',
    by: 'a shape that has a file of its own',
    change: {
      'contract/deals/shapes.ts': 'export type Sheet = string',
      ...add('contract/deals/rules.ts', `import type { Sheet } from './shapes.ts'`),
    },
  },
  {
    promise: 'each call is answered once, in the room that defines it',
    by: 'a call that nobody answers',
    change: add('contract/deals/calls.ts', `export const unsign = call('PATCH /cars/unsign')`),
  },
  {
    promise: 'each call is answered once, in the room that defines it',
    by: 'a call that another room answers',
    change: {
      'server/cars/routes.ts': `export const registerCars = () => null`,
      'server/deals/routes.ts': `import * as cars from '@keyturn/contract/cars/calls.ts'\nimport * as calls from '@keyturn/contract/deals/calls.ts'\nimport { answer } from '../http/answer.ts'\nexport const registerDeals = () => [answer(null, calls.sign, null), answer(null, cars.addCar, null)]`,
    },
  },
  {
    promise: 'only the places that put the rooms together call what takes hooks',
    by: 'a room that registers its own',
    change: add('server/deals/store.ts', `import { registerDeals } from './routes.ts'`),
  },
  {
    promise: 'what is imported can be read',
    by: 'a computed address',
    change: add('server/cars/store.ts', `const above = (room: string) => import(\`../\${room}/actions.ts\`)`),
  },
  {
    promise: 'nobody reads the environment but main.ts, which hands it to config.ts',
    by: 'a store',
    change: add('server/cars/store.ts', `const debug = process.env.DEBUG`),
  },
  {
    promise: 'a screen asks for the code of a refusal, which its call declares, and not for its status',
    by: 'a screen that wants a row to be gone',
    change: add('web/cars/secret.tsx', `const isGone = (fault: any) => fault?.status === 404`),
  },
  {
    promise: 'a screen asks for the code of a refusal, which its call declares, and not for its status',
    by: 'a range',
    change: add('web/cars/secret.tsx', `const isBad = ({ status }: { status: number }) => 400 <= status`),
  },
  {
    promise: 'no folder holds more than 25 source files',
    by: 'one file too many, tests not counted',
    change: Object.fromEntries(
      Array.from({ length: 26 }, (_, i) => [
        [`tools/many/file-${i}.mjs`, ''],
        [`tools/many/file-${i}.test.ts`, ''],
      ]).flat(),
    ),
  },
]

const houseWith = (change: Record<string, string>) =>
  houseOf(new Map(Object.entries({ ...whole, ...change })))
const brokenIn = (change: Record<string, string>) => {
  const house = houseWith(change)
  return rules.filter(({ breaches }) => breaches(house).length > 0).map(({ promise }) => promise)
}

test('a house in order breaks no rule', () => {
  expect(brokenIn({})).toEqual([])
})

test.each(breaks)('$promise: noticed when broken by $by', ({ promise, change }) => {
  expect(brokenIn(change)).toEqual([promise])
})

test('every rule has at least one break here', () => {
  expect(
    rules.map(({ promise }) => promise).filter((one) => !breaks.some(({ promise }) => promise === one)),
  ).toEqual([])
})

test('25 files in a folder are allowed, and tests do not count', () => {
  const files = Array.from({ length: 25 }, (_, i) => [`tools/many/file-${i}.ts`, ''])
  const tests = Array.from({ length: 25 }, (_, i) => [`tools/many/file-${i}.test.ts`, ''])
  expect(brokenIn(Object.fromEntries([...files, ...tests]))).toEqual([])
})

test('an exception that nobody needs is reported', () => {
  expect(outdated(houseWith({}))).toContain('server/deals/car-store.ts -> cars')
})
