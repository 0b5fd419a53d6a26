import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type BuyerStage, backFrom, nextStepToward, upTo } from '@keyturn/contract/deals/stages.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode, isConflict } from '../../../../api/errors.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { progressQuery } from '../../queries.ts'
import { factsOf } from './facts.ts'
import { useStageHistory } from './use-stage-history.ts'

type Data = EndpointInput<typeof updateProgress>['body']['data']
type Answers = Pick<Data, 'hasTrade' | 'needsFinancing' | 'financing' | 'tradeVins'>

export type Unsaved = { refusal: ApiError; again: () => Promise<void> }

export type Moves = {
  /** Saves the answers and goes to a stage, in one request. */
  go: (to: BuyerStage, answers?: Answers) => Promise<void>
  back?: () => Promise<void>
  /** Back to an earlier stage, as far as Back leads. */
  backTo: (stage: BuyerStage) => Promise<void>
  /** Another action of the person leads to this stage. */
  expect: (stage: BuyerStage) => void
  /** The browser's Back or Forward is being followed. */
  isFollowing: boolean
  unsaved: Unsaved | null
  /** Why the screen has just moved to the server's state by itself. */
  notice: string | null
}

/** Moves through the stages. The server decides; a stale screen catches up by itself. */
export function useMoves(progress: Progress): Moves {
  const client = useQueryClient()
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const { queryKey } = progressQuery(progress.sellerId, progress.vin)
  const save = useEndpointMutation(updateProgress, {
    onDone: (saved) => {
      client.setQueryData(queryKey, saved)
      void client.invalidateQueries({ queryKey: ['deals'] })
    },
  })

  const change = async (seen: Progress, step: number[], data: Partial<Data>): Promise<Progress | null> => {
    const { sellerId: userId, vin, version } = seen
    setNotice(null)
    setUnsaved(null)
    try {
      return await save.act({ body: { userId, vin, version, data: { userType: 'BUYER', step, ...data } } })
    } catch (fault) {
      const refusal = fault as ApiError
      // The page is stale or the purchase is gone, so the server's state replaces what is shown.
      if (hasErrorCode(refusal, updateProgress, 'NotFound') || isConflict(refusal)) {
        setNotice(refusal.message)
        // What could be chosen may have changed as well: a trade that another request holds is not offered again.
        void client.invalidateQueries({ queryKey: ['trades'] })
        await client.invalidateQueries({ queryKey })
      } else {
        console.error('Progress could not be saved:', refusal.code, refusal.message)
        setUnsaved({ refusal, again: async () => void (await change(seen, step, data)) })
      }
      return null
    }
  }

  /** Moves step by step as far as the table allows, and returns the reached stage. */
  const travel = async (to: BuyerStage): Promise<BuyerStage> => {
    let seen = progress
    for (let next = nextStepToward(factsOf(seen), to); next; next = nextStepToward(factsOf(seen), to)) {
      const moved = await change(seen, upTo(next.to), next.isBack ? { goBack: true } : {})
      if (!moved) break
      seen = moved
    }
    return factsOf(seen).activeStep
  }

  const { expect, walk, isFollowing } = useStageHistory(progress, travel)
  const previous = backFrom(factsOf(progress))
  return {
    go: async (to, answers) => {
      expect(to)
      await change(progress, upTo(to), answers ?? {})
    },
    back: previous === null ? undefined : () => walk(previous),
    backTo: walk,
    expect,
    isFollowing,
    unsaved,
    notice,
  }
}
