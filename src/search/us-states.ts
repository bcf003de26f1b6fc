/** What stands after a city in American addresses, in lower case: postal codes and names. Georgia is a country as well. */
export const US_STATES: ReadonlySet<string> = new Set(
  (
    "al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri " +
    "sc sd tn tx ut vt va wa wv wi wy dc"
  )
    .split(" ")
    .concat(
      (
        "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois " +
        "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri " +
        "montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington " +
        "wisconsin wyoming"
      ).split(" "),
      [
        "new hampshire",
        "new jersey",
        "new mexico",
        "new york",
        "north carolina",
        "north dakota",
        "rhode island",
        "south carolina",
        "south dakota",
        "west virginia",
        "district of columbia",
      ],
    ),
);
