import type { Photo } from '@keyturn/contract/shared/photo.ts'
import {
  photoAddress,
  photoFormats,
  photoSources,
  photoWidths,
  smallPhotoWidths,
} from '@keyturn/contract/shared/photo-files.ts'
import { type CSSProperties, useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

type PhotoImageProps = {
  photo: Photo
  /** The displayed width, as in the `sizes` attribute. */
  sizes: string
  /** Empty where text next to the photo describes it. */
  alt: string
  className?: string
  /** Set for photos that are visible without scrolling. */
  eager?: boolean
  /** The photo is never shown large, so the larger files are omitted. */
  isSmall?: boolean
  style?: CSSProperties
}

/** A photo in the size and format that the browser chooses. */
export function PhotoImage({ photo, sizes, alt, className, eager, isSmall, style }: PhotoImageProps) {
  const widths = isSmall ? smallPhotoWidths(photo) : photoWidths(photo)
  return (
    <picture>
      <source type={photoFormats.avif} srcSet={photoSources(photo, 'avif', widths)} sizes={sizes} />
      <img
        className={className}
        src={photoAddress(photo, widths[Math.min(1, widths.length - 1)] ?? photo.width, 'jpg')}
        srcSet={photoSources(photo, 'jpg', widths)}
        sizes={sizes}
        width={photo.width}
        height={photo.height}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
        decoding="async"
        draggable={false}
        style={style}
      />
    </picture>
  )
}

/** A photo with a color placeholder. It needs an inline style, so only the app can use it. */
export function PhotoPicture(props: Omit<PhotoImageProps, 'style' | 'eager' | 'isSmall'>) {
  const { placeholder } = props.photo
  const colors = useMemo(() => colorsOf(placeholder), [placeholder])
  return <PhotoImage {...props} style={{ backgroundImage: colors, backgroundSize: 'cover' }} />
}

function colorsOf(placeholder: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(placeholder), (one) => one.charCodeAt(0))
    return `url(${thumbHashToDataURL(bytes)})`
  } catch {
    return undefined
  }
}
