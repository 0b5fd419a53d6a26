/** `54,000 miles`: wherever a mileage is read. */
export const formatMiles = (mileage: number): string =>
  `${mileage.toLocaleString('en-US')} ${mileage === 1 ? 'mile' : 'miles'}`
