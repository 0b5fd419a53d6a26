import {
  addCarPhoto,
  type Car,
  captionCarPhoto,
  deleteCarPhoto,
  orderCarPhotos,
} from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { PhotosCard } from '../../cars/photos/photos-card.tsx'

const refresh = [['deals'], ['cars']]

/** The seller's own photos of a car (R-cars-26). */
export function CarPhotos({ car, fixed }: { car: Car; fixed?: string }) {
  const client = useQueryClient()
  const order = useEndpointMutation(orderCarPhotos, { refresh })
  const caption = useEndpointMutation(captionCarPhoto, { refresh })
  const remove = useEndpointMutation(deleteCarPhoto, { refresh })
  const params = { carId: car._id }
  return (
    <PhotosCard
      name={carName(car)}
      photos={car.photos}
      fixed={fixed}
      hasGuide
      acts={{
        add: async (file, { place, caption, ...uploading }) => {
          const added = await uploadFile(addCarPhoto, { params, query: { place, caption } }, file, uploading)
          await client.invalidateQueries({ queryKey: ['deals'] })
          return added
        },
        order: (photoIds) => order.act({ params, body: { photoIds } }),
        caption: (photoId, words) =>
          caption.act({ params: { ...params, photoId }, body: { caption: words } }),
        remove: (photoId) => remove.act({ params: { ...params, photoId } }),
      }}
    />
  )
}
