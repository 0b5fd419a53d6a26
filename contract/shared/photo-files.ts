// Separate from the schemas, so that a page's script that needs only file names does not load them.

type Named = { id: string; width: number }

export const photoFormats = { avif: 'image/avif', jpg: 'image/jpeg' } as const
export type PhotoFormat = keyof typeof photoFormats

const widths = [320, 640, 1280, 1920] as const
/** Maximum dimensions of a photo's file in pixels; portrait and landscape photos both fit. */
export const maxPhotoSize = { width: 1920, height: 2560 } as const

/** Returns the widths in which a photo exists: the smaller standard ones, then its own. */
export const photoWidths = ({ width }: Pick<Named, 'width'>): number[] => [
  ...widths.filter((one) => one < width),
  width,
]

/** The file at this URL never changes, so it can be cached forever. */
export const photoAddress = ({ id }: Pick<Named, 'id'>, width: number, format: PhotoFormat): string =>
  `/photos/${id}/${width}.${format}`

export const photoSources = (one: Named, format: PhotoFormat, list = photoWidths(one)): string =>
  list.map((width) => `${photoAddress(one, width, format)} ${width}w`).join(', ')

/** For a photo that is never shown large, so that a page with twenty of them stays small. */
export const smallPhotoWidths = (one: Pick<Named, 'width'>): number[] => photoWidths(one).slice(0, 2)
