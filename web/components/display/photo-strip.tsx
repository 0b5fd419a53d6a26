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

type PhotoRowProps = PhotoStripProps & {
  /** Skips the photos that the gallery shows elsewhere. */
  from?: number
  sizes?: string
  className?: string
  /** Shown over the last photo of a mosaic: how many more there are. */
  more?: { at: number; label: string }
}

/** A row of photos inside a gallery. */
export const PhotoRow = ({
  photos,
  name,
  from = 0,
  sizes = '120px',
  className = '',
  more,
}: PhotoRowProps) => (
  <ul className={`${classes.strip} ${className}`} aria-label={texts.photosOf(name)}>
    {photos.map(
      (photo, at) =>
        at >= from && (
          <li key={photo.id}>
            <PhotoLink photo={photo} at={at} count={photos.length} sizes={sizes} className={classes.photo}>
              {at === more?.at && <span data-more>{more.label}</span>}
            </PhotoLink>
          </li>
        ),
    )}
  </ul>
)
