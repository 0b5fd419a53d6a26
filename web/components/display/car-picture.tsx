import {
  type CarBody,
  illustrationAddress,
  illustrationSize,
} from '@keyturn/contract/shared/car-illustrations.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import classes from './car-picture.module.css'
import { PhotoPicture } from './photo-picture.tsx'

type IllustratedCar = { bodyType: CarBody | null; color: string }
export type PicturedCar = IllustratedCar & { photos: readonly Photo[] }

/** A car's first photo or its illustration (R-cars-21), next to the car's name. */
export function CarPicture({ car, sizes }: { car: PicturedCar; sizes: string }) {
  const [first] = car.photos
  if (!first) return <CarIllustration car={car} />
  return <PhotoPicture photo={first} sizes={sizes} alt="" className={classes.photo} />
}

/**
 * The car's body type in its own color, in front of a studio wall. With `isFirst` false, a hidden
 * picture is not loaded.
 */
export const CarIllustration = ({ car, isFirst }: { car: IllustratedCar; isFirst?: boolean }) => (
  <span className={classes.studio}>
    <img
      className={classes.car}
      src={illustrationAddress(car.bodyType, car.color)}
      {...illustrationSize}
      alt=""
      fetchPriority={isFirst ? 'high' : undefined}
      loading={isFirst === false ? 'lazy' : undefined}
      decoding="async"
      draggable={false}
    />
  </span>
)
