// Apart from the schemas, because the script of a page names the files of a photo too and has no use for the rest.

type Named = { id: string; width: number }

export const photoFormats = { avif: 'image/avif', jpg: 'image/jpeg' } as const
export type PhotoFormat = keyof typeof photoFormats

const widths = [320, 640, 1280, 1920] as const
/** No file is larger than this, whichever way the photo was held. */
export const largest = { width: 1920, height: 2560 } as const

/** In which widths there is a photo, the largest last: as many as are smaller than it, and its own. */
export const widthsOf = ({ width }: Pick<Named, 'width'>): number[] => [
  ...widths.filter((one) => one < width),
  width,
]

/** Never changes what lies there: it can be kept for as long as anybody likes. */
export const photoAddress = ({ id }: Pick<Named, 'id'>, width: number, format: PhotoFormat): string =>
  `/photos/${id}/${width}.${format}`

/** For `srcset`: every width of a format, and the browser chooses by what it shows. */
export const photoSources = (one: Named, format: PhotoFormat, list = widthsOf(one)): string =>
  list.map((width) => `${photoAddress(one, width, format)} ${width}w`).join(', ')

/** For one that is never shown large: a page with twenty of them is told of no more files than it needs. */
export const smallWidthsOf = (one: Pick<Named, 'width'>): number[] => widthsOf(one).slice(0, 2)
