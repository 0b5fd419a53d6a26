import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { texts } from '../texts.ts'
import { PhotoGallery, PhotoLink } from './photo-gallery.tsx'
import classes from './photo-strip.module.css'

type PhotoStripProps = { photos: readonly Photo[]; name: string }

/** All photos of a car in one row; each opens full screen. */
export function PhotoStrip({ photos, name }: PhotoStripProps) {
  if (photos.length === 0) return null
  return (
    <PhotoGallery name={name}>
      <PhotoRow photos={photos} name={name} />
    </PhotoGallery>
  )
}

/** A row of photos inside a gallery. `from` skips the photos that the gallery shows elsewhere. */
export const PhotoRow = ({ photos, name, from = 0 }: PhotoStripProps & { from?: number }) => (
  <ul className={classes.strip} aria-label={texts.photosOf(name)}>
    {photos.slice(from).map((photo, place) => (
      <li key={photo.id}>
        <PhotoLink
          photo={photo}
          at={from + place}
          count={photos.length}
          sizes="120px"
          className={classes.photo}
        />
      </li>
    ))}
  </ul>
)
