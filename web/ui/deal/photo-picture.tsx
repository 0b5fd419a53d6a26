import {
  type Photo,
  photoAddress,
  photoFormats,
  photoSources,
  widthsOf,
} from '@keyturn/contract/kit/photo.ts'
import { useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

type PhotoPictureProps = {
  photo: Photo
  /** How wide it is shown, as `sizes` of an image says it. */
  sizes: string
  /** Empty where the words beside it say what it is. */
  alt: string
  className?: string
  /** For the one that a person sees first. */
  eager?: boolean
}

/** A photo in the size and format that the browser wants; its colors stand in its place until it is there. */
export function PhotoPicture({ photo, sizes, alt, className, eager }: PhotoPictureProps) {
  const colors = useMemo(() => colorsOf(photo.placeholder), [photo.placeholder])
  const widths = widthsOf(photo)
  return (
    <picture>
      <source type={photoFormats.avif} srcSet={photoSources(photo, 'avif')} sizes={sizes} />
      <img
        className={className}
        src={photoAddress(photo, widths[Math.min(1, widths.length - 1)] ?? photo.width, 'jpg')}
        srcSet={photoSources(photo, 'jpg')}
        sizes={sizes}
        width={photo.width}
        height={photo.height}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        style={{ backgroundImage: colors, backgroundSize: 'cover' }}
      />
    </picture>
  )
}

function colorsOf(placeholder: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(placeholder), (one) => one.charCodeAt(0))
    return `url(${thumbHashToDataURL(bytes)})`
  } catch {
    return undefined
  }
}
