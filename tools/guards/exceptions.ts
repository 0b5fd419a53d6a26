// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the names of guards quote code.

/**
 * Guards whose removal alone need not be noticed, each with its reason. A deliberately redundant guard names its twin:
 * both are removed together, and that must be noticed.
 */
export type Exception = { guard: string; why: string; twin?: string }

const inRounds = 'How much is done at a time; the next round does the rest.'
const sparesStatements =
  'How many deals there are only spares statements that would find none; each of them looks again at what it means.'
const forIndex =
  'A constraint of the table says the same of every row with such a time; written for the index of due offers.'
const heldAtOnce =
  'How much of the log is read or held at a time; each row is looked up in it by its own name, and others change nothing.'

export const exceptions: readonly Exception[] = [
  {
    guard: 'limit server/trades/expiry.ts mostAtATime: mostAtATime 500 a million times wider',
    why: inRounds,
  },
  {
    guard: 'limit server/trades/expiry.ts mostRounds: mostRounds 4 a million times wider',
    why: 'How much of it one request waits for; the clock does the rest.',
  },
  { guard: 'limit server/trades/expiry.ts mostTold: mostTold 100 a million times wider', why: inRounds },
  { guard: 'limit server/trades/expiry.ts tradeJobs: limit mostTold a million times wider', why: inRounds },
  {
    guard: "condition server/trades/ledger.ts findDue: without ${trades.status} = 'OFFERED'",
    why: forIndex,
  },
  { guard: "condition server/trades/ledger.ts expireDue: without status = 'OFFERED'", why: forIndex },
  {
    guard: 'limit server/deals/actions.ts settleDueHolds: limit 100 a million times wider',
    why: inRounds,
  },
  {
    guard: 'limit server/notifications/listener.ts longestWaitMs: longestWaitMs 5_000 a million times wider',
    why: 'A pause between two tries to connect, longer than any test waits.',
  },
  {
    guard: 'limit server/trades/list.ts longestPage: longestPage 201 a million times wider',
    why: 'Tells the planner what a page may be at most; the page itself is limited beside it.',
  },
  {
    guard: 'condition server/deals/car-store.ts setPrice: without ${isPending}',
    why: sparesStatements,
  },
  {
    guard: 'condition server/deals/car-store.ts setPrice: without ${deals}.car_id = ${cars}.id',
    why: sparesStatements,
  },
  {
    guard: 'condition server/deals/car-store.ts setPrice: without ${notWithdrawn} #2',
    why: sparesStatements,
  },
  {
    guard:
      'condition server/accounts/sessions/known-networks.ts findNetwork: without eq(knownNetworks.owner, p.owner)',
    why: 'The hash is of network and owner together; the owner is named for the index.',
  },
  {
    guard:
      'condition server/deals/evidence-log/verify-log.ts leavesBetween: without gte(logLeaves.place, from)',
    why: heldAtOnce,
  },
  {
    guard: 'condition server/deals/evidence-log/verify-log.ts leavesBetween: without lt(logLeaves.place, to)',
    why: heldAtOnce,
  },
  {
    guard:
      "condition server/deals/evidence-log/verify-log.ts digestsOf: without sql`${signatures.id} = ${ids('signature')}`",
    why: heldAtOnce,
  },
  {
    guard:
      "condition server/deals/evidence-log/verify-log.ts digestsOf: without sql`${packages.id} = ${ids('package')}`",
    why: heldAtOnce,
  },
  {
    guard: 'condition server/deals/evidence-log/verify-log.ts headsBetween: without gte(logHeads.size, from)',
    why: heldAtOnce,
  },
  {
    guard: 'condition server/deals/evidence-log/verify-log.ts headsBetween: without lt(logHeads.size, to)',
    why: heldAtOnce,
  },
  {
    guard:
      'condition server/deals/evidence-log/log-store.ts nodesAt: without sql`(${logNodes.level}, ${logNodes.place}) in (select * from unnest(${p.levels}::smallint[], ${p.pl...',
    why: heldAtOnce,
  },
]
