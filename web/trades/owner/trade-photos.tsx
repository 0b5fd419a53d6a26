import { carName } from '@keyturn/contract/cars/rules.ts'
import {
  addTradePhoto,
  captionTradePhoto,
  deleteTradePhoto,
  orderTradePhotos,
  type Trade,
} from '@keyturn/contract/trades/calls.ts'
import { arePhotosOpen } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { PhotosCard } from '../../cars/photos/photos-card.tsx'
import { useAct } from '../../decide/act.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { upload } from '../../wire/upload.ts'

const refresh = [['trades'], ['deals']]

/** The owner's own photos of a trade (R-trades-33). */
export function TradePhotosDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  const client = useQueryClient()
  const order = useAct(orderTradePhotos, { refresh })
  const caption = useAct(captionTradePhoto, { refresh })
  const remove = useAct(deleteTradePhoto, { refresh })
  const params = { tradeId: trade._id }
  return (
    <Dialog title={tradeTexts.dashboard.photosOf(carName(trade))} size="lg" onClose={onClose}>
      <PhotosCard
        isInDialog
        name={carName(trade)}
        photos={trade.photos}
        fixed={arePhotosOpen(trade.status) ? undefined : tradeTexts.photosFixed}
        acts={{
          add: async (file, uploading) => {
            const added = await upload(addTradePhoto, { params }, file, uploading)
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
