/** Photos that buyers look for, in the order of a walk around the car (R-cars-37). */
export const photoShots = {
  front: { name: 'Front', hint: 'Stand at a front corner, so that the nose and one side show.' },
  driverSide: { name: 'Driver side', hint: 'Step back until the whole side fits, wheels included.' },
  rear: { name: 'Rear', hint: 'Stand straight behind the car, and keep the plate readable.' },
  passengerSide: { name: 'Passenger side', hint: 'Step back until the whole side fits, wheels included.' },
  interior: { name: 'Interior', hint: 'Open the driver’s door, and show the seats and the dashboard.' },
  odometer: { name: 'Odometer', hint: 'Turn the car on, so that the miles are readable.' },
  vinPlate: { name: 'VIN plate', hint: 'Look at the bottom of the windshield or inside the driver’s door.' },
  damage: { name: 'Damage', hint: 'Show every dent, scratch and stain. Skip this if there is none.' },
} as const
export type PhotoShot = keyof typeof photoShots

export const shotNames = Object.keys(photoShots) as PhotoShot[]

/**
 * Returns the shots that photos with these captions show. A photo from the guide has the name of
 * its shot as caption, and the seller may add to it, as in "Odometer: 91,000".
 */
export const takenShots = (captions: readonly string[]): PhotoShot[] =>
  shotNames.filter((shot) => captions.some((caption) => isCaptionOf(caption, photoShots[shot].name)))

/** A word that continues, as in "Front bumper", names something else. */
const isCaptionOf = (caption: string, name: string) =>
  caption.toLowerCase().startsWith(name.toLowerCase()) && /^\s*(?:$|[:,.(])/.test(caption.slice(name.length))
