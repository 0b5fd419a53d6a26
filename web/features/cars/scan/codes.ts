/** Reads the codes in a picture, on this device. */
export type CodeReader = {
  read: (picture: HTMLCanvasElement) => Promise<string[]>
  /** Degrees by which pictures are turned in turn, for a reader that finds bar codes only where they lie nearly level. */
  tilts: readonly number[]
}

/** The formats in which a VIN stands on labels, plates and papers; the names are the browser's. */
const formats = ['code_39', 'code_128', 'data_matrix', 'qr_code']

/** The browser's own reader where it knows all formats; elsewhere ours, which is a megabyte and loaded only then. */
export const openReader = async (): Promise<CodeReader> => (await ownReader()) ?? (await loadReader())

const loadReader = async (): Promise<CodeReader> => (await import('./zxing.ts')).zxing()

async function ownReader(): Promise<CodeReader | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const known = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (!BarcodeDetector || !formats.every((format) => known?.includes(format))) return null
  const detector = new BarcodeDetector({ formats })
  // Phones may say that they can, and then miss the service that does it.
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

/** TypeScript does not know it yet, because not all browsers have it. */
type DetectorClass = {
  new (options: {
    formats: string[]
  }): { detect(picture: HTMLCanvasElement): Promise<{ rawValue: string }[]> }
  getSupportedFormats(): Promise<string[]>
}
