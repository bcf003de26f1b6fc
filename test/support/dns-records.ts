/** The DNS records of the test domains. */
export const DNS_RECORDS: Readonly<Record<string, { A?: string[]; AAAA?: string[] }>> = {
  "public.world.example": { A: ["93.184.216.34"] },
  "private.world.example": { A: ["10.1.2.3"] },
  "loopback.world.example": { A: ["127.0.0.1"] },
  "mixed.world.example": { A: ["93.184.216.34", "192.168.1.1"] },
  "six.world.example": { A: ["93.184.216.34"], AAAA: ["::ffff:127.0.0.1"] },
  "metadata.world.example": { AAAA: ["fd00:ec2::254"] },
  // The service checks this public address, but `lookup` resolves the name to loopback (DNS rebinding).
  "rebinding.world.example": { A: ["93.184.216.34"] },
};
