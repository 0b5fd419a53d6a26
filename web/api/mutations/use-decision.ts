import type { Endpoint, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { RequestOf } from '../send.ts'
import type { Change } from './changes.ts'
import type { EndpointMutation } from './use-endpoint-mutation.ts'
import { type FrozenRow, useFrozenRow } from './use-frozen-row.ts'

type DecisionOptions<C extends Endpoint, Row extends object | undefined> = {
  by: EndpointMutation<C>
  /** The current row; undefined while it is loading, and after it was deleted. */
  current: Row
  /** The changes between two states, as shown to a person. */
  newsOf: (read: NonNullable<Row>, current: NonNullable<Row>) => Change[]
  /** Compares states that differ in more than `newsOf` shows; by default, `newsOf` decides. */
  isSame?: (read: NonNullable<Row>, current: NonNullable<Row>) => boolean
  /**
   * Whether changes may come from this decision itself; they are then not shown. Defaults to
   * `mayBeDone`.
   */
  isOwn?: boolean
  /**
   * Returns the current row from an error. Without a relevant change, the decision is sent again
   * for it.
   */
  currentIn?: (error: unknown) => Row | undefined
  /** Whether a row that loads in parts is complete. */
  isWhole?: (read: NonNullable<Row>) => boolean
}

/**
 * Binds a decision to the state that a person has read: exactly that state is shown and sent. If
 * others change it, nothing is sent until the person accepts the changes in `<DecisionChanges>`.
 */
export function useDecision<C extends Endpoint, Row extends object | undefined>(
  deciding: DecisionOptions<C, Row>,
) {
  return buildDecision(deciding, useFrozenRow(deciding.current, toFreezeOptions(deciding)))
}

export function toFreezeOptions<C extends Endpoint, Row extends object | undefined>(
  deciding: DecisionOptions<C, Row>,
) {
  const { by, isWhole, isOwn = by.mayBeDone } = deciding
  return { isSame: sameIn(deciding), isOwn, isWhole }
}

const sameIn =
  <Row extends object | undefined>({
    newsOf,
    isSame,
  }: Pick<DecisionOptions<Endpoint, Row>, 'newsOf' | 'isSame'>) =>
  (read: NonNullable<Row>, current: NonNullable<Row>): boolean =>
    isSame ? isSame(read, current) : newsOf(read, current).length === 0

/** Separate from the hook, so that it can be tested without a screen. */
export function buildDecision<C extends Endpoint, Row extends object | undefined>(
  deciding: Pick<DecisionOptions<C, Row>, 'by' | 'current' | 'newsOf' | 'isSame' | 'currentIn'>,
  { shown: read, isStale, isGone, catchUp, show }: FrozenRow<Row>,
) {
  const { by, current, newsOf, currentIn } = deciding
  const mayDecide = read !== undefined && !isStale && !isGone

  /** Throws errors, for `useFormMutation`. */
  const act = async (
    askingFor: (read: NonNullable<Row>) => RequestOf<C>,
  ): Promise<EndpointOutput<C> | undefined> => {
    if (!mayDecide) return undefined
    try {
      return await by.act(askingFor(read))
    } catch (error) {
      const current = currentIn?.(error)
      if (!current || !sameIn(deciding)(read, current)) throw error
      return by.act(askingFor(current))
    }
  }

  return {
    read,
    show,
    mayDecide,
    isStale,
    isGone,
    isWorking: by.isWorking,
    error: by.error,
    changes: isStale && read && current ? newsOf(read, current) : [],
    act,
    /** Does not throw errors; `<DecisionChanges>` shows them. */
    attempt: (askingFor: (read: NonNullable<Row>) => RequestOf<C>) => act(askingFor).catch(() => undefined),
    goOn: () => {
      catchUp()
      if (!by.isWorking) by.reset()
    },
  }
}
