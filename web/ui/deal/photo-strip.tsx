import { type Photo, photoAddress } from '@keyturn/contract/kit/photo.ts'
import { texts } from '../texts.ts'
import { PhotoPicture } from './photo-picture.tsx'
import classes from './photo-strip.module.css'

/** All photos of a car in one row, each of which opens in full. */
export function PhotoStrip({ photos, name }: { photos: readonly Photo[]; name: string }) {
  if (photos.length === 0) return null
  return (
    <ul className={classes.strip} aria-label={texts.photosOf(name)}>
      {photos.map((photo, at) => (
        <li key={photo.id}>
          <a href={photoAddress(photo, photo.width, 'jpg')} target="_blank" rel="noreferrer">
            <PhotoPicture
              photo={photo}
              sizes="120px"
              alt={photo.caption || texts.photo(at + 1, photos.length)}
              className={classes.photo}
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
