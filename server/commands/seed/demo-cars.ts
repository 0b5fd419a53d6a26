// Descriptions that people enter for their cars, in whole dollars. Every VIN decodes to its car.
// 1HGCM82633A004352, which the README lists by hand, is not among them.

export const demoDescriptions: Partial<Record<DemoCarName, object>> = {
  camry: {
    description:
      'I bought this Camry new and drove it to work and back. It was serviced at the dealer every time, and I have the papers. We are down to one parking spot, so it has to go.',
    condition: 'A stone chip on the hood and a scuff on the right rear wheel. No accidents.',
    owners: 1,
    titleHolder: 'SELLER',
  },
  f150: {
    description:
      'My daily truck since 2017. It tows our camper without complaint, and the transmission was serviced last fall. We need a third row now.',
    condition: 'Some rust on the rear bumper and a dent in the tailgate. The tires have about a year left.',
    owners: 2,
    titleHolder: 'LENDER',
  },
}

type Facts = [
  vin: keyof typeof decodedVins,
  make: string,
  carModel: string,
  year: number,
  trim: string,
  mileage: number,
  color: string,
]
type More = { payoff?: boolean; zipCode?: string; message?: string }

const vehicle = ([vin, make, carModel, year, trim, mileage, color]: Facts, more: More = {}) => ({
  vin,
  make,
  carModel,
  year,
  trim,
  mileage,
  color,
  payoff: false,
  ...more,
})
const car = (facts: Facts, price?: number, more?: More) => ({ ...vehicle(facts, more), price })
const trade = (facts: Facts, zipCode: string, more?: More) => ({ ...vehicle(facts, more), zipCode })

export const demoCars = {
  camry: car(['4T1B11HK3KU204817', 'Toyota', 'Camry', 2019, 'SE', 48_200, 'Blue'], 17_900, {
    zipCode: '80205',
    message: 'One owner, always in a garage. Both keys and all service records are here.',
  }),
  outback: car(['4S4BSAFCXG3318206', 'Subaru', 'Outback', 2016, '2.5i Premium', 88_450, 'Green']),
  civic: car(['2HGFC2F75JH541190', 'Honda', 'Civic', 2018, 'EX', 61_300, 'White'], 15_200, {
    zipCode: '80205',
  }),
  f150: car(['1FTEW1EFXFFB37265', 'Ford', 'F-150', 2015, 'XLT SuperCrew', 97_800, 'Red'], 18_500, {
    payoff: true,
  }),
  cx5: car(['JM3KFBCMXL0729314', 'Mazda', 'CX-5', 2020, 'Touring', 39_750, 'Gray'], 20_400),
  wrangler: car(['1C4BJWEG6HL618402', 'Jeep', 'Wrangler', 2017, 'Unlimited Sahara', 66_900, 'Black'], 26_750),
  odyssey: car(['5FNRL5H61EB075531', 'Honda', 'Odyssey', 2014, 'EX-L', 112_000, 'Silver'], 11_900),
  sonata: car(['5NPLM4AG3MH023947', 'Hyundai', 'Sonata', 2021, 'SEL', 33_600, 'White'], 18_300, {
    payoff: true,
  }),
  silverado: car(['1GCRKSE71DZ286610', 'Chevrolet', 'Silverado', 2013, '1500 LTZ', 121_500, 'Brown'], 15_800),
  altima: car(['1N4AL3AP8JC164028', 'Nissan', 'Altima', 2018, '2.5 SV', 72_150, 'Black'], 11_600),
  golf: car(['WVWDM7AJ7CW211736', 'Volkswagen', 'Golf', 2012, 'TDI', 104_300, 'Red'], 7_900),
  soul: car(['KNDJP3A57K7654189', 'Kia', 'Soul', 2019, 'Plus', 45_900, 'Yellow'], 13_400),
  bmw: car(['WBA8E9G50GNT80462', 'BMW', '328i', 2016, 'Sedan', 69_200, 'Gray'], 16_900),
  jetta: car(['3VWLL7AJXBM108823', 'Volkswagen', 'Jetta', 2011, 'TDI SEL', 118_700, 'Silver'], 6_800),
  mustang: car(['1ZVBP8FFXE5236807', 'Ford', 'Mustang', 2014, 'GT Convertible', 57_800, 'Blue'], 19_600),
  mini: car(['WMWXM5C57FT946107', 'MINI', 'Hardtop', 2015, 'Cooper', 58_400, 'Green'], 12_500),
}
export type DemoCarName = keyof typeof demoCars

export const demoTrades = {
  prius: trade(['JTDKN3DU8B0295618', 'Toyota', 'Prius', 2011, 'Three', 128_400, 'Silver'], '48226', {
    message: 'New hybrid battery in 2022, and I have the receipt.',
  }),
  forester: trade(['JF2SH636X9H731264', 'Subaru', 'Forester', 2009, '2.5 X', 141_000, 'Green'], '48226'),
  malibu: trade(['1G1ZC5E02CF154093', 'Chevrolet', 'Malibu', 2012, '1LT', 99_600, 'Gold'], '60614'),
  rogue: trade(['5N1AT2MV7EC817450', 'Nissan', 'Rogue', 2014, 'SV', 87_300, 'Blue'], '48226', {
    payoff: true,
    message: 'About $2,100 is still owed to the bank.',
  }),
  cruze: trade(['1G1BE5SM5H7215084', 'Chevrolet', 'Cruze', 2017, 'LT', 76_800, 'Black'], '80205'),
  escape: trade(['1FMCU9GX6DUA41977', 'Ford', 'Escape', 2013, 'SE', 109_900, 'White'], '90210'),
  crv: trade(['5J6RE4H77AL020385', 'Honda', 'CR-V', 2010, 'EX-L', 133_200, 'Gray'], '60614', {
    message: 'A dent in the left rear door, otherwise very clean.',
  }),
}
export type DemoTradeName = keyof typeof demoTrades

const sedan = 'Sedan/Saloon'
const suv = 'Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)'
const pickup = 'Pickup'
const minivan = 'Minivan'
const hatchback = 'Hatchback/Liftback/Notchback'
const convertible = 'Convertible/Cabriolet'

/** The decoder's answers for these VINs. */
export const decodedVins = {
  '4T1B11HK3KU204817': { bodyClass: sedan, trim: 'L/LE/SE/XLE' },
  '4S4BSAFCXG3318206': { bodyClass: suv, trim: 'Premium + AWP + ES' },
  '2HGFC2F75JH541190': { bodyClass: sedan, trim: 'EX' },
  '1FTEW1EFXFFB37265': { bodyClass: pickup, trim: '' },
  JM3KFBCMXL0729314: { bodyClass: suv, trim: 'Touring' },
  '1C4BJWEG6HL618402': { bodyClass: suv, trim: 'Unlimited Sahara' },
  '5FNRL5H61EB075531': { bodyClass: minivan, trim: 'EXL/EXL-NAVI/EXL-RES' },
  '5NPLM4AG3MH023947': { bodyClass: sedan, trim: 'SEL' },
  '1GCRKSE71DZ286610': { bodyClass: pickup, trim: 'LTZ' },
  '1N4AL3AP8JC164028': { bodyClass: sedan, trim: '' },
  WVWDM7AJ7CW211736: { bodyClass: hatchback, trim: '' },
  KNDJP3A57K7654189: { bodyClass: suv, trim: 'Plus' },
  WBA8E9G50GNT80462: { bodyClass: sedan, trim: 'SA' },
  '3VWLL7AJXBM108823': { bodyClass: sedan, trim: 'SEL, TDI' },
  '1ZVBP8FFXE5236807': { bodyClass: convertible, trim: 'GT Convertible' },
  WMWXM5C57FT946107: { bodyClass: hatchback, trim: '' },
  JTDKN3DU8B0295618: { bodyClass: hatchback, trim: '' },
  JF2SH636X9H731264: { bodyClass: suv, trim: '2.5XS PLUS' },
  '1G1ZC5E02CF154093': { bodyClass: sedan, trim: '1LT' },
  '5N1AT2MV7EC817450': { bodyClass: suv, trim: '' },
  '1G1BE5SM5H7215084': { bodyClass: sedan, trim: 'LT' },
  '1FMCU9GX6DUA41977': { bodyClass: suv, trim: 'SE' },
  '5J6RE4H77AL020385': { bodyClass: suv, trim: 'EX-L' },
} as const satisfies Record<string, { bodyClass: string; trim: string }>
