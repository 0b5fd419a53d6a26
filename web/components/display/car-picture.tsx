import type { CarBody } from '@keyturn/contract/shared/car-drawings.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import classes from './car-picture.module.css'
import { CarSilhouette } from './car-silhouette.tsx'
import { PhotoPicture } from './photo-picture.tsx'

type CarPictureProps = { photos: readonly Photo[]; body?: CarBody | null; sizes: string }

/** A car's first photo or its silhouette (R-cars-21), next to the car's name. */
export function CarPicture({ photos, body, sizes }: CarPictureProps) {
  const [first] = photos
  if (!first) return <CarSilhouette body={body} />
  return <PhotoPicture photo={first} sizes={sizes} alt="" className={classes.photo} />
}
