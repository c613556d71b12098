// IDs shared by the examples of several domains.

export const monitorId = '01KANYZ0Y6Q8W2T4V9B3C5D7E1';
export const teamId = '01KANYYVT3M5N7P9R1S3T5V7W9';
export const incidentId = '01KANZ2H5B7C9D1E3F5G7H9J1K';
export const at = '2026-11-20T03:07:12.000Z';

export const page = { nextCursor: null };

export const user = { id: '01KANYYVS0A2B4C6D8E0F2G4H6', email: 'robin@example.com', name: 'Robin' };

export const tokens = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiIwMUtBTiJ9.4Kc0nT8v',
  refreshToken: 'uwr_7hT0c2Vn5Yq8Zs1Kd4Lw6Mb9Pj3Rf',
};
