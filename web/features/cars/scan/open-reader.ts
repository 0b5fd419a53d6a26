export type CodeReader = {
  read: (picture: HTMLCanvasElement) => Promise<string[]>
  /** Angles in degrees, one per frame, for a reader that finds only nearly level bar codes. */
  tilts: readonly number[]
}

/** The code formats that labels, plates and papers use for VINs, by the browser's names. */
const formats = ['code_39', 'code_128', 'data_matrix', 'qr_code']

/**
 * Uses the browser's reader if it supports all formats. Otherwise loads ZXing, about a megabyte.
 */
export const openReader = async (): Promise<CodeReader> => (await openNativeReader()) ?? (await loadReader())

const loadReader = async (): Promise<CodeReader> => (await import('./load-zxing.ts')).loadZxing()

async function openNativeReader(): Promise<CodeReader | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const known = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (!BarcodeDetector || !formats.every((format) => known?.includes(format))) return null
  const detector = new BarcodeDetector({ formats })
  // Phones may report support although the service behind it is missing.
  const works = await detector.detect(document.createElement('canvas')).then(
    () => true,
    () => false,
  )
  if (!works) return null
  return {
    read: async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue),
    tilts: [0],
  }
}

/** Missing in TypeScript's types, because not all browsers have it. */
type DetectorClass = {
  new (options: {
    formats: string[]
  }): { detect(picture: HTMLCanvasElement): Promise<{ rawValue: string }[]> }
  getSupportedFormats(): Promise<string[]>
}
