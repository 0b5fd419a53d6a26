import { carName } from '@keyturn/contract/cars/rules.ts'
import {
  addTradePhoto,
  captionTradePhoto,
  deleteTradePhoto,
  orderTradePhotos,
  type Trade,
} from '@keyturn/contract/trades/endpoints.ts'
import { isAgreedTrade } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useCarSearch } from '../../../api/search-params.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { useMyId } from '../../../auth/session.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { PhotosCard } from '../../cars/photos/photos-card.tsx'
import { PushPrompt } from '../../notifications/push/push-prompt.tsx'
import { tradesOfUserQuery } from '../queries.ts'
import { isOwnersTurn } from '../trade-turns.ts'
import { useTradeFromUrl } from '../use-trade-from-url.ts'
import type { DeletedTrade } from './delete-trade-dialog.tsx'
import { TradeDialog } from './trade-dialog.tsx'
import { TradeList } from './trade-list.tsx'

const texts = tradeTexts.dashboard

type TradesScreenProps = {
  /**
   * The purchases that an accepted trade can be used for. Passed in, because they belong to deals.
   */
  purchases: ReactNode
  back?: ReactNode
  /**
   * The dialog that deletes a trade and names the request that contains it. Passed in for the same
   * reason.
   */
  DeleteDialog: ComponentType<DeletedTrade>
  /** Says what a changed loan does to the request that contains the trade. */
  LoanWarning: ComponentType<{ trade: Trade }>
}
type Open = { dialog: 'trade' | 'photos' | 'delete'; trade: Trade }

/** /trade: a person's trade-ins, each with its turn (R-trades-2). */
export function TradesScreen({ purchases, back, DeleteDialog, LoanWarning }: TradesScreenProps) {
  const search = useCarSearch()
  const navigate = useNavigate()
  const trades = useQuery(tradesOfUserQuery(useMyId()))
  const [open, setOpen] = useState<Open | null>(null)
  const current = trades.data?.find(({ _id }) => _id === open?.trade._id)
  const close = () => setOpen(null)
  const isLookedFor = useTradeFromUrl(trades.data, (trade) => {
    setOpen({ dialog: 'trade', trade })
    void navigate({ to: '/trade', search, replace: true })
  })
  const add = (
    <LinkButton
      to="/trade/input"
      search={search}
      variant={trades.data?.some(isOwnersTurn) ? 'default' : 'filled'}
    >
      {texts.add}
    </LinkButton>
  )
  return (
    <Page title={texts.title} lead={texts.lead} action={add} hasCompactAction back={back}>
      {isLookedFor && trades.isFetchedAfterMount && <Notice kind="info">{texts.notFound}</Notice>}
      <QueryContent
        from={trades}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="trades"
        skeletonRows={5}
      >
        {(list) => (
          <Stack gap="lg">
            <TradeList
              trades={list}
              onOpen={(trade) => setOpen({ dialog: 'trade', trade })}
              onPhotos={(trade) => setOpen({ dialog: 'photos', trade })}
              onDelete={(trade) => setOpen({ dialog: 'delete', trade })}
            />
            {list.some(({ status }) => status === 'PENDING') && <PushPrompt when="offerComes" />}
          </Stack>
        )}
      </QueryContent>
      {open?.dialog === 'trade' && (
        <TradeDialog
          trade={open.trade}
          current={current}
          purchases={purchases}
          LoanWarning={LoanWarning}
          onClose={close}
        />
      )}
      {open?.dialog === 'photos' && <TradePhotosDialog trade={current ?? open.trade} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteDialog trade={open.trade} current={current} onClose={close} />}
    </Page>
  )
}

const refresh = [['trades'], ['deals']]

/** The owner's own photos of a trade (R-trades-33). */
function TradePhotosDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const order = useEndpointMutation(orderTradePhotos, { refresh })
  const caption = useEndpointMutation(captionTradePhoto, { refresh })
  const remove = useEndpointMutation(deleteTradePhoto, { refresh })
  const params = { tradeId: trade._id }
  return (
    <Dialog title={tradeTexts.dashboard.photosOf(carName(trade))} size="lg" onClose={onClose}>
      <PhotosCard
        isInDialog
        name={carName(trade)}
        photos={trade.photos}
        fixed={isAgreedTrade(trade.status) ? tradeTexts.photosFixed : undefined}
        acts={{
          add: async (file, { place, ...uploading }) => {
            const added = await uploadFile(addTradePhoto, { params, query: { place } }, file, uploading)
            await client.invalidateQueries({ queryKey: ['trades'] })
            return added
          },
          order: (photoIds) => order.act({ params, body: { photoIds } }),
          caption: (photoId, words) =>
            caption.act({ params: { ...params, photoId }, body: { caption: words } }),
          remove: (photoId) => remove.act({ params: { ...params, photoId } }),
        }}
      />
    </Dialog>
  )
}
