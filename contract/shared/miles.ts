/** `54,000 miles` */
export const formatMiles = (mileage: number): string =>
  `${mileage.toLocaleString('en-US')} ${mileage === 1 ? 'mile' : 'miles'}`
