import type { Photo } from '@keyturn/contract/shared/photo.ts'
import {
  photoAddress,
  photoFormats,
  photoSources,
  smallWidthsOf,
  widthsOf,
} from '@keyturn/contract/shared/photo-files.ts'
import { type CSSProperties, useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

type PhotoImageProps = {
  photo: Photo
  /** How wide it is shown, as `sizes` of an image says it. */
  sizes: string
  /** Empty where the words beside it say what it is. */
  alt: string
  className?: string
  /** For the one that a person sees first. */
  eager?: boolean
  /** Never shown large, so the larger files need no mention. */
  isSmall?: boolean
  style?: CSSProperties
}

/** A photo in the size and format that the browser wants. */
export function PhotoImage({ photo, sizes, alt, className, eager, isSmall, style }: PhotoImageProps) {
  const widths = isSmall ? smallWidthsOf(photo) : widthsOf(photo)
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

/** The same with its colors in its place until it is there, which takes a style of its own and so a screen of the app. */
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
