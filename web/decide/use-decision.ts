import type { Answer, Call } from '@keyturn/contract/kit/call.ts'
import type { Asking } from '../wire/send.ts'
import type { Act } from './act.ts'
import type { Change } from './changes.ts'
import { useSeen } from './seen.ts'

type Deciding<C extends Call, Row extends object | undefined> = {
  /** The change that the decision makes. */
  by: Act<C>
  /** What is decided on, as it is now; undefined while it is being loaded, and once it is gone. */
  present: Row
  /** What others have changed between two states of it, as a person is told it. */
  newsOf: (read: NonNullable<Row>, present: NonNullable<Row>) => Change[]
  /** Where two states can differ in more than is told; else they differ where there is news. */
  isSame?: (read: NonNullable<Row>, present: NonNullable<Row>) => boolean
  /** What changes now may be this decision's own doing, and is no news then; else while `by` may be done. */
  isOwn?: boolean
  /** Where parts of it come later: whether all of it has been read. */
  isWhole?: (read: NonNullable<Row>) => boolean
}

/**
 * A decision on what a person has read. What they read stays as it was and is what is sent; when others change it
 * meanwhile, nothing is sent until a click has gone on with the news (`<DecisionNews>`).
 */
export function useDecision<C extends Call, Row extends object | undefined>({
  by,
  present,
  newsOf,
  isSame = (read, now) => newsOf(read, now).length === 0,
  isOwn = by.mayBeDone,
  isWhole,
}: Deciding<C, Row>) {
  const { shown: read, isStale, isGone, catchUp, show } = useSeen(present, { isSame, isOwn, isWhole })
  const mayDecide = read !== undefined && !isStale && !isGone

  /** Throws what the server refuses: for `useFormAct`. */
  const act = async (askingFor: (read: NonNullable<Row>) => Asking<C>): Promise<Answer<C> | undefined> =>
    mayDecide ? by.act(askingFor(read)) : undefined

  return {
    read,
    show,
    mayDecide,
    isStale,
    isGone,
    isWorking: by.isWorking,
    refusal: by.refusal,
    changes: isStale && read && present ? newsOf(read, present) : [],
    act,
    /** What the server refuses is said by `<DecisionNews>`. */
    attempt: (askingFor: (read: NonNullable<Row>) => Asking<C>) => act(askingFor).catch(() => undefined),
    goOn: () => {
      catchUp()
      if (!by.isWorking) by.reset()
    },
  }
}
