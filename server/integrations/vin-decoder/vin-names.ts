/** The values of the VIN tables for one car, from the schema that describes it best. */
export type TableEntry = {
  make: string
  model: string
  year: number
  series: string
  trim: string
  /** True if it has only an electric motor. */
  isElectric: boolean
}

/** Returns the model as people write it, with a distinguishing suffix ("2500HD", "EV"). */
export function modelName(entry: TableEntry): string {
  const { make, year, series, isElectric } = entry
  const plain = entry.model.replace(/ \(PHEV\)$/, '')
  const model = codes.get(`${make} ${plain}`) ?? plain
  if (isElectric) return electricNames.get(`${make} ${model}`) ?? model
  if (gmTrucks.test(model)) return gmTruckName(model.replace(/ HD$/, ''), series, year)
  if (make === 'Ford' && /Super Duty/.test(series)) return `${model} Super Duty`
  if (model === 'Transit' && /^\d{3}/.test(series)) return `Transit ${series}`
  return model
}

/**
 * Returns the trim without option codes and without what `model` includes. Ford and MINI put it in
 * the series.
 */
export function trimName({ make, series, trim }: TableEntry, model: string): string {
  const written = trim.replace(/ (?:\(\d[A-Z]{2}\)|\d[A-Z]{2})$/, '')
  if (written !== '') return model.split(' ').includes(written) ? '' : written
  return make === 'MINI' || (make === 'Ford' && fordTrims.test(series)) ? series : ''
}

/** Names that manufacturers report to NHTSA as codes. */
const codes = new Map([
  ['Polestar PS1', 'Polestar 1'],
  ['Polestar PS2', 'Polestar 2'],
])

/** Electric cars that the tables list under the name of a model with an engine. */
const electricNames = new Map([
  ['Chevrolet Blazer', 'Blazer EV'],
  ['Chevrolet Equinox', 'Equinox EV'],
  ['Chevrolet Silverado', 'Silverado EV'],
  ['Chevrolet Spark', 'Spark EV'],
  ['Dodge Charger', 'Charger Daytona'],
  ['Fiat 500', '500e'],
  ['Ford F-150', 'F-150 Lightning'],
  ['Ford Focus', 'Focus Electric'],
  ['Ford Transit', 'E-Transit'],
  ['GMC Sierra', 'Sierra EV'],
  ['Honda Fit', 'Fit EV'],
  ['Hyundai Ioniq', 'Ioniq Electric'],
  ['Hyundai Kona', 'Kona Electric'],
  ['Kia Niro', 'Niro EV'],
  ['Kia Soul', 'Soul EV'],
  ['smart Fortwo', 'Fortwo Electric Drive'],
  ['Toyota RAV4', 'RAV4 EV'],
  ['Volvo XC40', 'XC40 Recharge'],
])

const fordTrims = /^(?:King Ranch|Lariat|Limited|Platinum|Police|PRO|Raptor|STX|Tremor|XL|XL HYBRID|XLS|XLT)$/
const gmTrucks = /^(?:Silverado|Sierra)(?: HD)?$|^(?:Express|Savana|Suburban|Avalanche|Yukon XL)$/

/**
 * Names a truck by payload class: 1500 is half a ton. Heavier Silverados and Sierras have been
 * called HD since model year 2007.
 */
function gmTruckName(model: string, series: string, year: number): string {
  const [payload = ''] = /^[1-6]500/.exec(series) ?? []
  const tons = /^(1\/2|3\/4|1) ton/i.exec(series)?.[1] ?? ''
  const name = payload || ({ '1/2': '1500', '3/4': '2500', '1': '3500' }[tons] ?? '')
  const isPickup = /^(?:Silverado|Sierra)$/.test(model)
  if (name === '' || (name === '1500' && /^(?:Suburban|Avalanche|Yukon XL)$/.test(model))) return model
  return isPickup && /^[23]500$/.test(name) && year >= 2007 ? `${model} ${name}HD` : `${model} ${name}`
}
