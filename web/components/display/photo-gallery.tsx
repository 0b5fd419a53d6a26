import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import type { ReactNode } from 'react'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { IconChevronLeft, IconChevronRight, IconX } from '../icons.tsx'
import { texts } from '../texts.ts'
import { openTappedPhoto } from './open-tapped-photo.ts'
import classes from './photo-gallery.module.css'
import { PhotoImage } from './photo-picture.tsx'

/**
 * Photos that open full screen when tapped. The app and the server-rendered pages share this
 * markup, and `open-tapped-photo.ts` opens the photos on both. Without a script, each photo links
 * to its largest file.
 */
export const PhotoGallery = ({ name, children }: { name: string; children: ReactNode }) => (
  <div data-gallery>
    {children}
    <dialog className={classes.dialog} aria-label={texts.photosOf(name)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <ul className={classes.slides} data-slides tabIndex={0} {...stopsEscape} />
      <div className={classes.bar}>
        <button
          type="button"
          className={classes.button}
          data-step="-1"
          aria-label={texts.previousPhoto}
          {...stopsEscape}
        >
          <IconChevronLeft size={28} stroke={1.75} />
        </button>
        <p className={classes.told} aria-live="polite" aria-atomic>
          <span data-place />
          <span data-caption />
        </p>
        <button
          type="button"
          className={classes.button}
          data-step="1"
          aria-label={texts.nextPhoto}
          {...stopsEscape}
        >
          <IconChevronRight size={28} stroke={1.75} />
        </button>
      </div>
      <button
        type="button"
        className={`${classes.button} ${classes.close}`}
        data-close
        aria-label={texts.close}
        {...stopsEscape}
      >
        <IconX size={28} stroke={1.75} />
      </button>
    </dialog>
  </div>
)

/** Escape closes only the photos, not the Mantine dialog around them. */
const stopsEscape = { 'data-mantine-stop-propagation': true }

type PhotoLinkProps = {
  photo: Photo
  /** Zero-based. */
  at: number
  count: number
  sizes: string
  className?: string
  eager?: boolean
  children?: ReactNode
}

export function PhotoLink({ photo, at, count, sizes, className, eager, children }: PhotoLinkProps) {
  const place = texts.photo(at + 1, count)
  return (
    <a
      className={`${classes.link} ${className}`}
      href={photoAddress(photo, photo.width, 'jpg')}
      data-photo={photo.id}
      data-place={place}
      data-caption={photo.caption || undefined}
      onClick={({ nativeEvent }) => openTappedPhoto(nativeEvent)}
    >
      <PhotoBackground placeholder={photo.placeholder} />
      <PhotoImage
        photo={photo}
        sizes={sizes}
        alt={photo.caption || place}
        className={classes.photo}
        eager={eager}
        isSmall={!eager}
      />
      {children}
    </a>
  )
}

/**
 * The photo's color while it loads. It is an SVG, because server-rendered pages forbid inline
 * styles.
 */
const PhotoBackground = ({ placeholder }: Pick<Photo, 'placeholder'>) => (
  <svg className={classes.ground} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <path fill={colorOf(placeholder)} d="M0 0h1v1H0z" />
  </svg>
)

function colorOf(placeholder: string): string {
  try {
    const { r, g, b } = thumbHashToAverageRGBA(Uint8Array.from(atob(placeholder), (one) => one.charCodeAt(0)))
    return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`
  } catch {
    return 'none'
  }
}
