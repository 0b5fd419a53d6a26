export type CodeReader = {
  read: (picture: HTMLCanvasElement) => Promise<string[]>
  /**
   * Rotations in degrees, tried one per frame, for a reader that finds only nearly level bar codes.
   */
  tilts: readonly number[]
}

/** The code formats that carry a VIN on labels, plates and papers, by the browser's names. */
const formats = ['code_39', 'code_128', 'data_matrix', 'qr_code']

/**
 * Opens the browser's reader if it supports all formats; otherwise loads ZXing, about a megabyte.
 */
export const openReader = async (): Promise<CodeReader> => (await ownReader()) ?? (await loadReader())

const loadReader = async (): Promise<CodeReader> => (await import('./zxing.ts')).zxing()

async function ownReader(): Promise<CodeReader | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const known = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (!BarcodeDetector || !formats.every((format) => known?.includes(format))) return null
  const detector = new BarcodeDetector({ formats })
  // Phones may report support but lack the service behind it.
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
